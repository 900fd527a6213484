import type { Stored } from '../../schema/columns.js'

/** A row, or the totals: values as they are stored, by column. */
export interface ReportRow {
  readonly [column: string]: Stored
}

/** Moment at which a page of a report begins, with the totals of the pages before it. */
export interface ReportStart {
  readonly moment: string
  readonly totals: ReportRow
  /** Balances at the moment, in minor units, by account; undefined if there are too many. */
  readonly balances?: ReadonlyMap<string, number> | undefined
}

/** Maximum number of balances in a cursor, which must fit into an address. */
const MAX_BALANCES = 100

const DATETIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

/** Text of the start of a page, which clients send back unchanged. */
export function cursorOf({ moment, totals, balances }: ReportStart): string {
  const kept = balances && balances.size <= MAX_BALANCES ? [...balances] : null
  return Buffer.from(JSON.stringify([moment, Object.entries(totals), kept])).toString('base64url')
}

/** Parses a text of `cursorOf`; undefined for any other text. */
export function readCursor(text: string): ReportStart | undefined {
  const parts = parsed(Buffer.from(text, 'base64url').toString())
  if (!Array.isArray(parts)) return undefined
  const [moment, totals, balances]: readonly unknown[] = parts
  if (typeof moment !== 'string' || !isDatetime(moment) || !areFigures(totals)) return undefined
  const start = { moment, totals: Object.fromEntries(totals) }
  if (balances === null) return start
  return areFigures(balances) ? { ...start, balances: new Map(balances) } : undefined
}

function isDatetime(text: string): boolean {
  return DATETIME.test(text) && !Number.isNaN(Date.parse(`${text.replace(' ', 'T')}Z`))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function areFigures(value: unknown): value is readonly (readonly [string, number])[] {
  return (
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string' && Number.isSafeInteger(pair[1]))
  )
}
