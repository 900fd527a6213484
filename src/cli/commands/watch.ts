import process from 'node:process'
import { integer, string } from '@oclif/core/flags'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import { FIRED, TRIGGERS } from '../../resources/trigger.js'
import { money, text } from '../../schema/field.js'
import type { Resource } from '../../schema/resource.js'
import type { Json, JsonObject, QueryPair } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { endlessText } from '../terminal/command/endless-text.js'
import { type Choices, formatOf } from '../terminal/command/global-flags.js'
import { interruption } from '../terminal/command/interruption.js'
import { registry } from '../terminal/declarations/declared-registry.js'
import { isObject, valueAt } from '../terminal/input/body.js'
import { hasDateWord, wherePair } from '../terminal/input/query-text.js'
import { bracketed, type Path, pathOf, shapeOf, shapeOfFields } from '../terminal/input/shape.js'
import { lookOf } from '../terminal/output/look.js'
import { follow } from './webhooks/follow.js'
import { Position } from './webhooks/position.js'

const { read_events: readEvents } = adminOperations
/** Columns of an event: its own attributes, and the amount and name of its object. */
const shape = shapeOfFields(registry, { ...readEvents.output.events.fields, amount: money(), name: text() })

const OBJECTS = [...new Set(Object.values(FIRED).map(({ object }) => object))]
/** Kind of objects to which filters apply if `--object` is omitted. */
const USUAL = FIRED.payment.object
/** Maximum number of objects read by one query, which contains their ids. */
const AT_ONCE = 100

interface WatchFlags extends Choices {
  readonly trigger?: readonly string[] | undefined
  readonly object?: readonly string[] | undefined
  readonly where?: readonly string[] | undefined
  readonly amount?: string | undefined
  readonly processing?: string | undefined
}

export class Watch extends PayctlCommand {
  static override summary = 'print events as they happen, one per line, until Ctrl-C'
  static override description =
    'Each event is printed once, even if it is committed late or serve restarts. Filters have the form of list filters, and ' +
    'apply to the objects of events. With --json, each event is a JSON object on its own line.'
  static override usage = 'watch [--trigger <one>] [--where <filter>] [flags]'
  static override examples = [
    'payctl watch',
    'payctl watch --trigger decline --trigger reject',
    "payctl watch --amount '>=1,000' --last 20",
    "payctl watch --object transaction --where 'customer.name=?*park' --json",
  ]
  static override flags = {
    trigger: string({ options: [...TRIGGERS], multiple: true, summary: 'events of this trigger only' }),
    object: string({ options: OBJECTS, multiple: true, summary: 'events on objects of this kind only' }),
    amount: string({ summary: 'only transactions with this amount, as in >=1,000', helpValue: '<filter>' }),
    where: string({
      multiple: true,
      summary: 'only events whose object matches this list filter; transactions unless --object is given',
      helpValue: '<filter>',
    }),
    processing: string({ summary: 'events of this processing account only', helpValue: '<id>' }),
    last: integer({
      min: 0,
      max: 1_000,
      default: 0,
      summary: 'number of the newest earlier events to begin with, as far as they match',
      helpValue: '<number>',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Watch)
    const interrupted = interruption()
    const select = await this.selection(flags)
    const { eventLine } = await import('../terminal/output/event-line.js')
    const look = lookOf(process.stdout, process.env)
    const lines = await endlessText(flags, shape, (event) => eventLine(event, look))
    const [only, ...more] = flags.trigger ?? []
    const position = new Position(flags.last, more.length > 0 ? undefined : only)
    if (formatOf(flags) === 'table') process.stderr.write('Watching; Ctrl-C ends it.\n')
    await follow({
      interrupted,
      select,
      say: (said) => this.say(flags, said),
      ask: async () => position.take((await this.ask(flags, position.request())).body),
      isBehind: () => position.isBehind,
      print: async (event) => {
        process.stdout.write(lines(event))
      },
    })
  }

  /**
   * Selection of the events to print, with the columns of their objects. Throws a `UsageError` for an invalid filter.
   */
  private async selection(flags: WatchFlags) {
    const { trigger, processing, amount, where = [] } = flags
    const wheres = [...where, ...(amount === undefined ? [] : [`amount=${amount}`])]
    const isFiltered = wheres.length > 0
    const kinds = flags.object ?? (isFiltered ? [USUAL] : undefined)
    const now = wheres.some(hasDateWord) ? await this.now(flags) : 0
    const filters = new Map(
      (isFiltered ? (kinds ?? []) : []).map((kind) => [
        kind,
        wheres.map((filter) => wherePair(filter, shapeOf(registry, registry.get(kind)), now)),
      ]),
    )
    // Sends each filter once, so that an invalid filter is refused before the command waits for events.
    for (const [kind, query] of filters)
      await this.ask(flags, {
        method: 'GET',
        path: `/${registry.get(kind).plural}`,
        query: [...query, ['limit', '1']],
      })
    return async (events: readonly JsonObject[]): Promise<readonly JsonObject[]> => {
      const meant = events.filter(
        (event) =>
          (!trigger || trigger.includes(String(event.trigger))) &&
          (!kinds || kinds.includes(String(event.triggered_on_object))) &&
          (processing === undefined || event.processing_id === processing),
      )
      const objects = await this.objectsOf(flags, meant, filters)
      return meant.flatMap((event) => {
        const object = objects.get(String(event.triggered_on_id))
        if (isFiltered && !object) return []
        return [{ ...event, amount: object?.amount ?? null, name: object?.name ?? null }]
      })
    }
  }

  /** Columns of the objects of events, by id; only objects that match the filters and are not deleted. */
  private async objectsOf(
    choices: Choices,
    events: readonly JsonObject[],
    filters: ReadonlyMap<string, readonly QueryPair[]>,
  ): Promise<ReadonlyMap<string, JsonObject>> {
    const found = new Map<string, JsonObject>()
    for (const [kind, ids] of idsByKind(events)) {
      const resource = registry.find(kind)
      if (!resource) continue
      const names = shownOf(resource)
      const fields = Object.values(names).filter((path) => path !== undefined)
      const query: QueryPair[] = [
        ['fields', [['id'], ...fields].map(bracketed).join(',')],
        ['limit', String(AT_ONCE)],
        ...(filters.get(kind) ?? []),
      ]
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const id: QueryPair = ['id', ids.slice(at, at + AT_ONCE).join('|')]
        const request = { method: 'GET', path: `/${resource.plural}`, query: [id, ...query] } as const
        const { values } = (await this.ask(choices, request)).body
        for (const one of Array.isArray(values) ? values.filter(isObject) : [])
          found.set(String(one.id), { amount: read(one, names.amount), name: read(one, names.name) })
      }
    }
    return found
  }
}

function read(object: JsonObject, path: Path | undefined): Json {
  return (path && valueAt(object, path)) ?? null
}

function idsByKind(events: readonly JsonObject[]): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, Set<string>>()
  for (const { triggered_on_object: object, triggered_on_id: id } of events) {
    const ids = kinds.get(String(object)) ?? new Set()
    kinds.set(String(object), ids.add(String(id)))
  }
  return new Map([...kinds].map(([kind, ids]) => [kind, [...ids]]))
}

/** Paths of the attributes with the amount and the name of a resource's objects. */
function shownOf(resource: Resource): { readonly amount: Path | undefined; readonly name: Path | undefined } {
  const { field } = shapeOf(registry, resource)
  const first = (names: readonly string[]) => names.map(pathOf).find((path) => field(path) !== undefined)
  return { amount: first(['amount']), name: first(['customer.name', 'name', 'description', 'explanation']) }
}
