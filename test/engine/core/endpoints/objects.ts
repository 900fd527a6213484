import { idOf, objectOf, type TestCore, valuesOf } from '../../../support/core.js'
import type { Doing } from './rows.js'

/** The objects visible to the operator, as long as no object changes: each list is read once. */
export class Objects {
  private readonly known = new Map<string, Promise<string[]>>()

  constructor(private readonly core: TestCore) {}

  /** All ids that fit the parameters of a path, in groups of one or two ids. */
  async idsIn({ path, does }: Doing): Promise<string[][]> {
    if (does.kind === 'operate' || !path.includes('{')) return [[]]
    const within = does.kind === 'act' ? undefined : does.parent
    const parents = await this.all((within?.resource ?? does.resource).plural)
    if (!within || !path.endsWith('_id}')) return parents.map((id) => [id])
    const pairs: string[][] = []
    for (const parent of parents)
      for (const id of await this.related(`/${within.resource.plural}/${parent}`, within))
        pairs.push([parent, id])
    return pairs
  }

  /** The ids that fit the parameters of a path; for a change of many objects, each id for its body. */
  async chances(row: Doing): Promise<(readonly [path: string[], listed: string | undefined])[]> {
    const { does } = row
    const paths = await this.idsIn(row)
    if (does.kind !== 'update many' && does.kind !== 'delete many')
      return paths.map((ids) => [ids, undefined])
    return (await this.all(does.resource.plural)).map((id) => [[], id])
  }

  private async all(plural: string): Promise<string[]> {
    return await this.once(plural, async () => await this.listed(`/${plural}`))
  }

  private async related(path: string, { name, field }: NonNullable<Within>): Promise<string[]> {
    return await this.once(`${path}/${name}`, async () => {
      if (field.kind === 'many') return await this.listed(`${path}/${name}`)
      const { [name]: one } = await this.core.ok('GET', path, undefined, { query: `fields=${name}[id]` })
      return one === null ? [] : [idOf(objectOf(one))]
    })
  }

  private async listed(path: string): Promise<string[]> {
    return valuesOf(await this.core.ok('GET', path, undefined, { query: 'fields=id' })).map(idOf)
  }

  private async once(what: string, ask: () => Promise<string[]>): Promise<string[]> {
    const asked = this.known.get(what) ?? ask()
    this.known.set(what, asked)
    return await asked
  }
}

type Within = Exclude<Doing['does'], { kind: 'operate' | 'act' }>['parent']
