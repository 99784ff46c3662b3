// A run in memory → Found.
#pragma once

#include "found.h"
#include "judge.h"
#include "rows.h"

namespace gainful {

Found judge_table(const Index& index, const Rows& rows, Rules rules, unsigned threads);

}  // namespace gainful
