/** Columns of a table that the sealed books cover. */
export interface Sealed {
  /**
   * `vouched`: the values that the service vouches for, not what clients say of themselves. `all`: every
   * column.
   */
  readonly columns: 'vouched' | 'all'
  /** Additional fields that are sealed, although clients write them. */
  readonly also?: readonly string[]
  /** Columns that are not sealed: bookkeeping that changes too often. */
  readonly except?: readonly string[]
  /**
   * Control rows, which are compared with their newest seal whenever they are used: all rows, or the rows
   * with these values.
   */
  readonly control?: true | { readonly [column: string]: string | number }
}

/** Rule for sealing a table, or the reason why it is not sealed. */
export type SealRule = Sealed | { readonly unsealed: string }

/** Rule for rows of money. */
export const MONEY: Sealed = { columns: 'vouched' }

/** Rule for rows that record what was read or agreed; every column is sealed. */
export const RECORD: Sealed = { columns: 'all' }

/** Rule for rows that grant rights, or direct money or events. */
export const CONTROL: Sealed = { columns: 'all', control: true }
