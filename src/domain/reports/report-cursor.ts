import type { Stored } from '../../schema/columns.js'

/** A row, or the totals: values as they are stored, by column. */
export interface ReportRow {
  readonly [column: string]: Stored
}

/** Where a page of a report begins, and what the pages before it come to. */
export interface ReportStart {
  readonly day: string
  readonly totals: ReportRow
  /** Balances at the beginning of the day, in minor units, by account; undefined where they are too many. */
  readonly balances?: ReadonlyMap<string, number> | undefined
}

/** Balances that fit into an address. */
const MAX_BALANCES = 100

/** The text of a start, which clients send back as it is. */
export function cursorOf({ day, totals, balances }: ReportStart): string {
  const kept = balances && balances.size <= MAX_BALANCES ? [...balances] : null
  return Buffer.from(JSON.stringify([day, Object.entries(totals), kept])).toString('base64url')
}

/** The start that a text stands for; undefined for any other text. */
export function readCursor(text: string): ReportStart | undefined {
  const parts = parsed(Buffer.from(text, 'base64url').toString())
  if (!Array.isArray(parts)) return undefined
  const [day, totals, balances]: readonly unknown[] = parts
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day) || !areFigures(totals)) return undefined
  const start = { day, totals: Object.fromEntries(totals) }
  if (balances === null) return start
  return areFigures(balances) ? { ...start, balances: new Map(balances) } : undefined
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
