import { sql } from 'kysely'
import type { Work } from '../../../engine/core/write/work.js'
import type { AccountRow } from '../../../engine/store/database/tables.js'
import {
  type SealedColumn,
  sealedColumnsByTable,
  sealedPlace,
} from '../../../engine/store/vault/sealed-columns.js'
import type { Place } from '../../../engine/store/vault/vault.js'
import { businessDay, DEFAULT_CUT_OFF } from '../../../platform/calendar/cut-off.js'
import { dateIn, partsOf } from '../../../platform/calendar/date.js'
import { type Row, secretColumns } from '../../../schema/columns.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { CURRENCY } from '../../../schema/money.js'
import { type Finding, findingsOf } from '../pass/finding.js'
import { nextPage, PAGE, type Pass, passOver } from '../pass/pass.js'
import { zonesOf } from '../pass/zones.js'

/** An account's months are billed when they end, and at most one of its payment methods is the default. */
export const accounts = passOver(
  'accounts',
  (db) =>
    db
      .selectFrom('accounts')
      .select([
        'id',
        'type',
        'currency',
        'parent_org_id',
        'bill_month',
        'bill_due_at',
        'created_at',
        'modified_at',
      ]),
  async ({ tx: { db } }, rows) => {
    const ids = rows.map(({ id }) => id)
    const zones = await zonesOf(db, ids)
    const several = await db
      .selectFrom('payment_methods')
      .select((eb) => ['account_id as id', eb.fn.countAll<number>().as('defaults')])
      .where('account_id', 'in', ids)
      .where('default_payment_method', '=', sql.lit(1))
      .where('deleted_at', 'is', null)
      .groupBy('account_id')
      .having((eb) => eb.fn.countAll(), '>', 1)
      .execute()
    return {
      count: rows.length,
      findings: [
        ...rows.flatMap((row) =>
          findingsOf('account', row.id, () => [
            ...currencyProblems(row),
            ...billProblems(row, zones.get(row.id) ?? ''),
          ]),
        ),
        ...several.flatMap(({ id, defaults }) =>
          findingsOf('account', id ?? '', [`It has ${defaults} default payment methods`]),
        ),
      ],
    }
  },
)

/** A processing account has a currency; a customer has none. */
function currencyProblems({ type, currency }: Pick<AccountRow, 'type' | 'currency'>): string[] {
  if (type !== 'processing')
    return currency === null ? [] : [`It is a customer with the currency ${currency}`]
  return currency === CURRENCY ? [] : [`Its currency is ${currency}, and its books are in ${CURRENCY}`]
}

interface BilledAccount {
  readonly type: string | null
  readonly parent_org_id: string | null
  readonly bill_month: string | null
  readonly bill_due_at: string | null
  readonly created_at: string
  readonly modified_at: string
}

/**
 * Largest distance between time zones, in milliseconds. When the due time of a bill was set, the account may have been
 * in another organization and time zone.
 */
const A_DAY = 26 * 3_600_000

function billProblems(account: BilledAccount, zone: string): string[] {
  const { type, parent_org_id: org, bill_month: month, bill_due_at: due, created_at: created } = account
  const mayHaveMoved = org !== null || account.modified_at !== created
  const problem = `Its month ${month} is due to be billed at ${due}`
  if (type !== 'processing') return month === null && due === null ? [] : [problem]
  if (due === null) return [problem]
  if (month === null) return due === created ? [] : [problem]
  const { year, month: number } = partsOf(`${month}-01`)
  const { endsAt } = businessDay({ ...DEFAULT_CUT_OFF, timeZone: zone }, dateIn(year, number, 31))
  const isNear = Math.abs(millisecondsOf(due) - endsAt) < A_DAY
  return due === datetimeOf(endsAt) || (mayHaveMoved && isNear) ? [] : [problem]
}

/** Passes over every table with sealed numbers: each number can be opened, and matches its hash and mask. */
export const sealedNumbers: readonly Pass[] = [...sealedColumnsByTable()]
  .filter(isSealed)
  .map(([table, columns]) => ({
    of: `sealed numbers of ${table}`,
    async examine({ tx: { any }, vault }: Work, after: string) {
      const names = [
        ...columns.flatMap(({ name, boundTo }) => [name, ...boundTo, ...maskColumn(columns, name)]),
        ...(KEPT[table] ?? []),
      ]
      const rows = await nextPage(any.selectFrom(table).select(['id', ...new Set(names)]), after, PAGE)
      const findings: Finding[] = []
      for (const row of rows)
        for (const { name } of columns.filter(({ content }) => content === 'sealed'))
          findings.push(
            ...findingsOf('number', String(row.id), () =>
              numberProblems(vault, sealedPlace(table, name, row), row),
            ),
          )
      const last = rows.at(-1)?.id
      return { last: last === undefined ? undefined : String(last), count: 0, findings }
    },
  }))

function isSealed([, columns]: readonly [string, readonly SealedColumn[]]): boolean {
  return columns.some(({ content }) => content === 'sealed')
}

/** The column of a number's mask; only numbers with a hash have a mask. */
function maskColumn(columns: readonly SealedColumn[], name: string): string[] {
  const { hash, mask } = secretColumns([name])
  return columns.some((column) => column.name === hash) ? [mask] : []
}

function numberProblems(vault: Work['vault'], place: Place, row: Row): string[] {
  const { column } = place
  const { hash, mask } = secretColumns([column])
  const sealed = row[column]
  const storedHash = row[hash] ?? null
  const storedMask = row[mask] ?? null
  const isNumber = mask in row
  if (isNumber && (storedHash === null) !== (storedMask === null))
    return [`Its ${column} has ${storedHash === null ? 'a mask and no hash' : 'a hash and no mask'}`]
  if (sealed === null || sealed === undefined) return storedMask === null ? [] : goneProblems(column, row)
  const plain = opened(vault, place, String(sealed))
  if (plain === undefined) return [`Its ${column} cannot be opened`]
  if (!isNumber) return []
  return [
    ...(vault.numberHashes(plain, column).includes(String(storedHash))
      ? []
      : [`The hash of its ${column} is that of another number`]),
    ...(storedMask !== null && plain.endsWith(String(storedMask).slice(-4))
      ? []
      : [`The mask of its ${column}, ${storedMask}, is that of another number`]),
  ]
}

/** Columns that show whether the numbers of a row are kept; other tables keep all numbers. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  payment_methods: ['keep_active', 'deleted_at', 'sealed_token'],
}

/** A number may be gone if its method was for one use, was deleted with its account, or is replaced by a token. */
function goneProblems(column: string, row: Row): string[] {
  const { keep_active: kept, deleted_at: deleted, sealed_token: token } = row
  const mayBeGone = kept === 0 || (deleted ?? null) !== null || (token ?? null) !== null
  return mayBeGone ? [] : [`Its ${column} is gone, and was to be kept`]
}

function opened(vault: Work['vault'], place: Place, sealed: string): string | undefined {
  try {
    return vault.open(sealed, place)
  } catch (error) {
    if (error instanceof Error && error.name === 'SealBroken') return undefined
    throw error
  }
}
