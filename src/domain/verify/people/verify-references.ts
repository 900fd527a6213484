import { sql } from 'kysely'
import type { Work } from '../../../engine/core/write/work.js'
import { using } from '../../../engine/store/database/raw-use.js'
import type { Tx } from '../../../engine/store/database/store.js'
import { schemaProblems } from '../../../engine/store/schema/schema-problems.js'
import { exceptionPosting, posting, settlementPosting } from '../../../resources/posting.js'
import { resources } from '../../../resources/resource-table.js'
import { columnName } from '../../../schema/columns.js'
import { type Fields, ref } from '../../../schema/field.js'
import { attributesOf, type Resource, tableNameOf } from '../../../schema/resource.js'
import { type Finding, findingsOf } from '../pass/finding.js'
import { NONE_LEFT, type Pass, pageEnd } from '../pass/pass.js'

/**
 * The database has everything that the migrations create, and no triggers that change rows. `isWhole` is false if
 * tables or columns are missing without which later checks would fail.
 */
export async function schemaFindings(
  tx: Tx,
): Promise<{ readonly isWhole: boolean; readonly findings: readonly Finding[] }> {
  const problems = await schemaProblems(tx)
  const findings = problems.flatMap(({ of, problem }) => findingsOf('schema', of, [problem]))
  const isWhole = !problems.some(({ breaks }) => breaks)
  const unchecked = findingsOf(
    'schema',
    'tables',
    isWhole ? [] : ['Nothing else could be checked without them'],
  )
  return { isWhole, findings: [...findings, ...unchecked] }
}

/** A column whose rows name rows of another table. */
interface Reference {
  readonly column: string
  readonly to: string
  /** Values that the named row must have, if `to` is a view. */
  readonly where: readonly (readonly [column: string, value: string])[]
  /** Whether a row that is not deleted must name a row that is not deleted. */
  readonly live: boolean
}

/**
 * Columns whose target may be deleted only when no live row names it, or together with those rows. Listed by hand, as
 * the effects of a deletion are code in the resource's rule.
 */
const LIVE: ReadonlySet<string> = new Set([
  'transactions.processing_id',
  'line_items.invoice_id',
  'billing_charges.billing_schedule_id',
  'payment_methods.account_id',
])

/** Resources without money; they may name keys of operators, which are not stored. */
const NO_MONEY: ReadonlySet<string> = new Set(['access_token', 'webhook', 'webhook_log'])

/** Resources about money that only operators see. */
const OPERATORS: ReadonlySet<string> = new Set(['settlement', 'settlement_line'])

/** Passes over every table with references: each named row exists, and is not deleted where it must not be. */
export const references: readonly Pass[] = [...byTable()].map(([table, columns]) => ({
  of: `what ${table} name`,
  async examine({ tx }: Work, after: string) {
    const { last } = await pageEnd(tx, table, after)
    if (last === undefined) return NONE_LEFT
    const wrong = sql<{ id: string; name: string; named: string }>`${sql.join(
      columns.map((reference) => broken(table, reference, after, last)),
      sql` union all `,
    )}`
    const { rows } = await using({ reads: [] }, wrong).execute(tx.any)
    return {
      last,
      count: 0,
      findings: rows.flatMap(({ id, name, named }) =>
        findingsOf('reference', id, [`Its ${name} is ${named}, which does not exist`]),
      ),
    }
  },
}))

function broken(table: string, { column, to, where, live }: Reference, after: string, last: string) {
  const conditions = [
    sql`p.id = c.${sql.ref(column)}`,
    ...where.map(([name, value]) => sql`p.${sql.ref(name)} = ${sql.lit(value)}`),
    ...(live ? [sql`(p.deleted_at is null or c.deleted_at is not null)`] : []),
  ]
  return sql`select c.id, ${sql.lit(column)} as name, c.${sql.ref(column)} as named from ${sql.table(table)} as c
    where c.id > ${after} and c.id <= ${last} and c.${sql.ref(column)} is not null
    and not exists (select 1 from ${sql.table(to)} as p where ${sql.join(conditions, sql` and `)})`
}

/** Columns that name rows of other tables, by table. */
function byTable(): Map<string, Reference[]> {
  const declared: readonly Resource[] = Object.values(resources)
  const tables: readonly { readonly table: string; readonly fields: Fields }[] = [
    ...declared
      .filter(({ name, view, admin }) => !view && (!admin || OPERATORS.has(name)) && !NO_MONEY.has(name))
      .map((declaration) => ({
        table: tableNameOf(declaration),
        fields: { ...attributesOf(declaration), ...declaration.internal },
      })),
    posting,
    exceptionPosting,
    settlementPosting,
    {
      table: 'collections',
      fields: {
        invoice_id: ref('invoice'),
        transaction_id: ref('transaction'),
        payment_method_id: ref('payment_method'),
      },
    },
  ]
  const found = tables.map(({ table, fields }): [string, Reference[]] => [
    table,
    refsIn(fields, []).map(({ column, to }) => referenceTo(table, column, to)),
  ])
  return new Map(found.filter(([, references]) => references.length > 0))
}

function referenceTo(table: string, column: string, to: string): Reference {
  const named = Object.values(resources).find(({ name }) => name === to)
  if (!named) throw new Error(`${table}.${column} names ${to}, which is no resource`)
  const { view }: Resource = named
  const live = LIVE.has(`${table}.${column}`)
  return { column, to: tableNameOf(named), where: Object.entries(view?.where ?? {}), live }
}

function refsIn(fields: Fields, path: readonly string[]): { column: string; to: string }[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const at = [...path, name]
    if (field.kind === 'group') return refsIn(field.fields, at)
    return field.kind === 'ref' ? [{ column: columnName(at), to: field.to }] : []
  })
}
