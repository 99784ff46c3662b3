// Lines of a table → rows, handed to the same sink as in lines.h: columns are divided by one character (a tab, a comma)
// or by blanks, and topic, document and value stand where the caller says. Every line has the same number of columns.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include "fault.h"
#include "lines.h"
#include "number.h"
#include "reader.h"

namespace gainful {

struct Layout {
    char separator = 0;                  // 0: any run of blanks
    std::array<size_t, 3> places{};      // columns of topic, document and value, from 0
    bool header = false;                 // the first line names the columns
    bool ranked = false;                 // the value is a rank: the smaller, the better
    size_t columns = 3;                  // of every line
    bool counting = false;               // the ranks of a topic must be 1, 2, 3, … in any order
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
        // Whether a quote closes on this line is for a reader of CSV to say.
        if (layout_.separator && raw.find('"') != raw.npos) return sink_.fault(FaultKind::quoted, line_, 0, {});
        raw = raw.substr(0, raw.find_last_not_of('\r') + 1);
        if (raw.find_first_not_of(" \t") == raw.npos) return;
        if (header_) {
            header_ = raw[0] == '#';  // comments may stand before the names
            return;
        }
        const size_t found = layout_.separator ? split(raw) : split_blanks(raw, fields_);
        if (!layout_.separator && raw[0] == '#' && !reads_as_row(found)) return;
        if (found != layout_.columns) return sink_.fault(FaultKind::columns, line_, found, raw.substr(0, 80));
        if (!layout_.separator) {
            const std::string_view blank = field_with_blank(raw);
            if (!blank.empty()) return sink_.fault(FaultKind::blank, line_, 0, blank.substr(0, 80));
        }
        if (fields_[0].empty() || fields_[1].empty()) {
            return sink_.fault(FaultKind::null, line_, 0, fields_[0].empty() ? "topic" : "document");
        }
        if (std::max(fields_[0].size(), fields_[1].size()) > ID_LIMIT) return sink_.fault(FaultKind::id, line_, 0, {});
        double value;
        if (!parse_number(fields_[2], value)) return sink_.fault(FaultKind::value, line_, 0, fields_[2].substr(0, 80));
        if (std::isnan(value)) return sink_.fault(FaultKind::nan, line_, 0, fields_[2]);
        if (!begun_ || fields_[0] != topic_) sink_.topic(fields_[0]);
        begun_ = true;
        topic_ = fields_[0];
        sink_.row(fields_[1], layout_.ranked ? -value : value, line_);
    }

    // A topic that begins with # is not a comment where the line is a row.
    bool reads_as_row(size_t found) const {
        double value;
        return found == layout_.columns && fields_[0].size() > 1 && parse_number(fields_[2], value);
    }

    // Puts topic, document and value into fields_; gives the number of columns.
    size_t split(std::string_view rest) {
        for (size_t column = 0;; ++column) {
            const size_t size = std::min(rest.find(layout_.separator), rest.size());
            for (size_t i = 0; i < 3; ++i) {
                if (layout_.places[i] == column) fields_[i] = trimmed(rest.substr(0, size));
            }
            if (size == rest.size()) return column + 1;
            rest.remove_prefix(size + 1);
        }
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
    std::array<std::string_view, 3> fields_;
    std::string_view topic_;
    bool begun_ = false;
};

}  // namespace gainful
