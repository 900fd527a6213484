import { batchKinds, updateKindOf } from '../../../resources/batch-kinds.js'
import type { BatchKind } from '../../../schema/batch-kind.js'
import { parsedJson } from '../../../schema/json.js'
import type { Registry } from '../../../schema/registry.js'
import { originalHeader } from '../../../schema/safe-csv.js'
import { UsageError } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import type { RequestedBatch } from './batch-job.js'
import { type Dialect, dialectOf } from './csv-dialect.js'
import type { InputFile } from './input-file.js'
import { type RawRow, rawRows } from './raw-rows.js'
import { refuseFile } from './refusal.js'
import { type Renaming, renamingOf } from './renaming.js'

/** Value of `--as` for changes of objects; the ids in the file determine the kind of objects. */
const UPDATE = 'update'

/** The kind of a batch's rows, with its name. Throws a `UsageError` for an unknown kind. */
export async function kindOf(
  registry: Registry,
  { as: given, options }: RequestedBatch,
  input: InputFile,
): Promise<{ readonly as: string; readonly kind: BatchKind }> {
  const isUpdate = given === UPDATE
  const dialect = isUpdate ? await dialectOf(input, options) : undefined
  const as = dialect
    ? await updateIn(registry, { input, dialect, renaming: renamingOf(options.map ?? []) })
    : given
  const kind = batchKinds.get(as)
  if (!kind) throw new UsageError(`Expected --as ${namesOfKinds()}, but received: ${given}`)
  if (options['clear-blanks'] && kind.about !== 'update')
    throw new UsageError('--clear-blanks is for --as update: a new object has nothing to clear')
  return { as, kind }
}

function namesOfKinds(): string {
  const names = [...batchKinds].filter(([, { about }]) => about !== 'update').map(([name]) => name)
  return [...names, UPDATE].join('|')
}

interface UpdateFile {
  readonly input: InputFile
  readonly dialect: Dialect
  readonly renaming: Renaming
}

/**
 * Name of the kind of rows that change the objects of a file, found by the first id in it. Throws a
 * `Refusal` if there is no id.
 */
async function updateIn(registry: Registry, file: UpdateFile): Promise<string> {
  const id = await firstId(file)
  if (id === undefined) throw refuseFile({ id: 'There is no such column with the ids of what to change' })
  // A view, such as customers, has the same prefix as its resource. The resource has all attributes.
  const resource = registry.all.find(({ prefix, view }) => prefix !== '' && !view && id.startsWith(prefix))
  if (!resource || !batchKinds.has(updateKindOf(resource)))
    throw refuseFile({ id: `${id} is no id of an object that can be changed` })
  return updateKindOf(resource)
}

/** The first id in the column or the attribute `id`. */
async function firstId({ input, dialect, renaming }: UpdateFile): Promise<string | undefined> {
  const isId = (name: string) => (renaming.get(name.trim()) ?? name.trim()).toLowerCase() === 'id'
  let read = dialect.format === 'csv' ? undefined : (row: RawRow) => idInLine(row, isId)
  for await (const page of rawRows(input.read(), dialect)) {
    const [header] = page
    const column = read ? -1 : originalHeader(header?.cells ?? []).findIndex(isId)
    read ??= (row) => (row === header ? undefined : row.cells[column]?.trim())
    const id = page.map(read).find(Boolean)
    if (id) return id
  }
  return undefined
}

function idInLine({ cells }: RawRow, isId: (name: string) => boolean): string | undefined {
  const line = parsedJson(cells[0] ?? '')
  const [, id] = isObject(line) ? (Object.entries(line).find(([name]) => isId(name)) ?? []) : []
  return typeof id === 'string' ? id.trim() : undefined
}
