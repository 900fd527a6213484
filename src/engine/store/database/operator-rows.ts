/** Settings of an environment for its operators: one row, or none before the first change. */
export type OperatorSettingsRow = {
  id: string
  /** 1: logins without an operator have no access. */
  require_mapping: number
  /** Datetime of the last change (UTC). */
  since: string
}
