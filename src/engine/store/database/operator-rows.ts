/** The settings of an environment for its operators: one row, or none where nothing was ever set. */
export type OperatorSettingsRow = {
  id: string
  /** 1: a login without an operator is nobody. */
  require_mapping: number
  /** Datetime of the last change (UTC). */
  since: string
}
