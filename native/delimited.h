// Lines of a table → rows, handed to the same sink as in lines.h: columns are told apart by one character (a tab, a
// comma) or by blanks, and topic, document and value stand where the caller says.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include "fault.h"
#include "number.h"
#include "reader.h"

namespace gainful {

struct Layout {
    char separator = 0;                  // 0: any run of blanks
    std::array<size_t, 3> places{};      // columns of topic, document and value, from 0
    bool header = false;                 // the first line names the columns
    bool ranked = false;                 // the value is a rank: the smaller, the better
};

template <class Sink>
class TableParser {
public:
    TableParser(const Block& block, const Layout& layout, Sink& sink)
        : text_(block.text()), layout_(layout), sink_(sink), header_(layout.header && block.number == 0) {}

    // How many lines there were.
    uint64_t run() {
        const char* at = text_.data();
        const char* end = at + text_.size();
        for (; at < end; ++line_) {
            const char* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
            row({at, static_cast<size_t>(newline - at)});
            at = newline + 1;
        }
        return line_;
    }

private:
    void row(std::string_view raw) {
        if (raw.size() > LINE_LIMIT) return sink_.fault(FaultKind::too_long, line_, 0, {});
        if (raw.find('\0') != raw.npos) return sink_.fault(FaultKind::binary, line_, 0, {});
        if (!raw.empty() && raw.back() == '\r') raw.remove_suffix(1);
        if (raw.find_first_not_of(" \t") == raw.npos || raw[0] == '#') return;
        if (header_) {
            header_ = false;
            return;
        }
        const size_t found = split(raw);
        if (found < 3) return sink_.fault(FaultKind::columns, line_, columns_, raw.substr(0, 80));
        if (layout_.separator) {  // whether a quote closes on this line is for a reader of CSV to say
            for (std::string_view field : fields_) {
                if (!field.empty() && field[0] == '"') return sink_.fault(FaultKind::quoted, line_, 0, field);
            }
        }
        double value;
        if (!parse_number(fields_[2], value)) return sink_.fault(FaultKind::value, line_, 0, fields_[2]);
        if (std::isnan(value)) return sink_.fault(FaultKind::nan, line_, 0, fields_[2]);
        if (!begun_ || fields_[0] != topic_) sink_.topic(fields_[0]);
        begun_ = true;
        topic_ = fields_[0];
        sink_.row(fields_[1], layout_.ranked ? -value : value, line_);
    }

    // Puts topic, document and value into fields_; how many of the three were there.
    size_t split(std::string_view rest) {
        size_t found = 0;
        columns_ = 0;
        while (found < 3) {
            if (layout_.separator == 0) {
                size_t start = rest.find_first_not_of(" \t");
                if (start == rest.npos) return found;
                rest.remove_prefix(start);
            }
            size_t size = layout_.separator ? rest.find(layout_.separator) : rest.find_first_of(" \t");
            const bool last = size == rest.npos;
            std::string_view field = rest.substr(0, last ? rest.size() : size);
            for (size_t i = 0; i < 3; ++i) {
                if (layout_.places[i] == columns_) {
                    fields_[i] = trimmed(field);
                    ++found;
                }
            }
            ++columns_;
            if (last) break;
            rest.remove_prefix(size + 1);
        }
        return found;
    }

    static std::string_view trimmed(std::string_view field) {
        size_t start = field.find_first_not_of(" \t");
        if (start == field.npos) return {};
        return field.substr(start, field.find_last_not_of(" \t") - start + 1);
    }

    std::string_view text_;
    const Layout& layout_;
    Sink& sink_;
    bool header_;
    uint64_t line_ = 0;
    size_t columns_ = 0;
    std::array<std::string_view, 3> fields_;
    std::string_view topic_;
    bool begun_ = false;
};

}  // namespace gainful
