import type { ValueContext } from '../elements/value.js'

/** Context of pages about money, besides the objects that they show. */
export interface MoneyContext {
  readonly values: ValueContext
  /** Names of operators by their ids. */
  readonly names: ReadonlyMap<string, string>
}
