/** The columns of a table that the sealed books cover. */
export interface Sealed {
  /** `vouched`: what the service vouches for, not what clients say of themselves. `all`: every column. */
  readonly columns: 'vouched' | 'all'
  /** Fields that count besides, although clients write them. */
  readonly also?: readonly string[]
  /** Columns that do not count: bookkeeping that changes too often. */
  readonly except?: readonly string[]
  /** Rows that are compared with their newest seal whenever they are used: all, or those with these values. */
  readonly control?: true | { readonly [column: string]: string | number }
}

/** A table is sealed, or says why it is not. */
export type SealRule = Sealed | { readonly unsealed: string }

/** Rows of money. */
export const MONEY: Sealed = { columns: 'vouched' }

/** Rows that say what has been read or agreed, of which every column counts. */
export const RECORD: Sealed = { columns: 'all' }

/** Rows that say who may do what, or where money or events go. */
export const CONTROL: Sealed = { columns: 'all', control: true }
