import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { makeFolder, replaceFile } from '../../../engine/store/files/files.js'
import { localTime, machineZone } from '../../../platform/calendar/local-time.js'
import { datetimeOf } from '../../../schema/datetime.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { UsageError } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import { readJsonText } from '../input/typed-values.js'
import { lookOf } from '../output/look.js'
import { readOwnFile } from '../profiles/settings-file.js'

/** Lifetime of a draft: a week, in milliseconds. */
const KEPT = 7 * 24 * 3_600_000

/** Identity of a draft. A home has one draft for each command and environment. */
export interface DraftPlace {
  readonly home: string
  /** The words of the command. */
  readonly command: string
  readonly environment: string
  /** The server or database that the answers are about. */
  readonly target: string
}

/** Saves the answers, readable by their owner only, in place of the previous draft. */
export function keepDraft(place: DraftPlace, body: string): void {
  makeFolder(folderIn(place.home))
  const text = `{"target":${JSON.stringify(place.target)},"body":${body}}\n`
  replaceFile(fileOf(place), (draft) => writeFileSync(draft, text, { flag: 'wx', mode: 0o600 }))
}

/**
 * The saved answers; undefined if there is no draft. Throws a `UsageError` for a draft of another server or database.
 */
export function draftAt(place: DraftPlace): JsonObject | undefined {
  const path = fileOf(place)
  const text = readOwnFile(path)
  if (text === undefined) return undefined
  const draft: Json = readJsonText(text, path, { attribute: 'attrs' })
  const { target, body } = isObject(draft) ? draft : {}
  if (!isObject(body)) throw new UsageError(`Expected a draft in ${path}; delete it`)
  if (target === place.target) return body
  throw new UsageError(`The draft was begun on ${String(target)}, but this is ${place.target}`)
}

/** Deletes a draft, if there is one. */
export function dropDraft(place: DraftPlace): void {
  rmSync(fileOf(place), { force: true })
}

/**
 * Time at which a draft was saved, in milliseconds since 1970; undefined if there is none. Deletes all expired drafts.
 */
export function draftKeptAt(place: DraftPlace, now: number): number | undefined {
  const folder = folderIn(place.home)
  for (const name of namesIn(folder))
    if (keptAt(join(folder, name), now) <= now - KEPT) rmSync(join(folder, name), { force: true })
  return statSync(fileOf(place), { throwIfNoEntry: false })?.mtimeMs
}

/** Time of a draft; `now` if another process has just deleted it. */
function keptAt(path: string, now: number): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
}

function namesIn(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []
}

function fileOf({ home, command, environment }: DraftPlace): string {
  return join(folderIn(home), `${environment}-${command.replaceAll(' ', '-')}.json`)
}

function folderIn(home: string): string {
  return join(home, 'drafts')
}

/** Time of a draft as text, in the time zone of the terminal. */
export function shownMoment(milliseconds: number): string {
  const { zone } = lookOf(process.stderr, process.env)
  const local = localTime(datetimeOf(Math.floor(milliseconds)), zone ?? machineZone())
  return local ? `${local.date} ${local.time.slice(0, 5)} ${local.zone}` : ''
}

/** A draft, overridden by the given attributes. */
export function overDraft(draft: JsonObject, given: JsonObject): JsonObject {
  const both = { ...draft }
  for (const [name, value] of Object.entries(given)) {
    const before = both[name]
    both[name] = isObject(value) && isObject(before) ? overDraft(before, value) : value
  }
  return both
}
