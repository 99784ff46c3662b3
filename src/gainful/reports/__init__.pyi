from .report_document import report as report
from .report_document import Report as Report
from .section_registry import Figure as Figure
from .section_registry import ReportTable as ReportTable
from .section_registry import Section as Section
from .section_registry import report_section as report_section
