import type { AdminOperation } from '../../schema/admin-operation.js'
import { agingReport } from './aging-report.js'
import { depositsReport } from './deposits-report.js'
import { disputesReport } from './disputes-report.js'
import { feesReport } from './fees-report.js'
import { journalReport } from './journal-report.js'
import { type Report, reportOperation } from './report.js'
import { statementReport } from './statement-report.js'
import { summaryReport } from './summary-report.js'

/** Every report, in the order in which people see them. */
export const reports = {
  summary: summaryReport,
  statement: statementReport,
  deposits: depositsReport,
  fees: feesReport,
  disputes: disputesReport,
  aging: agingReport,
  journal: journalReport,
} as const satisfies { readonly [name: string]: Report }

export type ReportName = keyof typeof reports

/** Admin operations of the reports, by name. */
export const reportOperations: { readonly [N in ReportName as `report_${N}`]: AdminOperation } = {
  report_summary: reportOperation(summaryReport),
  report_statement: reportOperation(statementReport),
  report_deposits: reportOperation(depositsReport),
  report_fees: reportOperation(feesReport),
  report_disputes: reportOperation(disputesReport),
  report_aging: reportOperation(agingReport),
  report_journal: reportOperation(journalReport),
}
