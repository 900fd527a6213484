import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { openApp } from '../../src/app.js'
import { operator } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Place } from '../../test/support/databases.js'
import { type Asked, askKept, askList, type OldAnswers } from './books.js'

export interface UpgradeReport {
  readonly last: string
  readonly examined: number
  readonly compared: number
  readonly problems: readonly string[]
}

/** Lets the code of a tree keep books in a place, opens them with this code, and compares what both say of them. */
export async function upgrade(tree: string, place: Place): Promise<UpgradeReport> {
  const old = await keptBy(tree, place)
  const app = openApp({ ...place })
  try {
    const { core } = await app.environment('test')
    const asked: Asked = { core, principal: operator }
    const verify = async () => {
      const { body } = await core.handle({
        method: 'GET',
        path: '/admin/verify',
        query: [],
        principal: operator,
      })
      return {
        examined: Number(body.examined),
        found: body.found === 0 ? [] : [`verify: ${JSON.stringify(body)}`],
      }
    }
    const before = await verify()
    const problems = [...before.found]
    let compared = 0
    for (const [path, objects] of Object.entries(old.lists)) {
      compared += objects.length
      problems.push(...differences(path, objects, await askList(asked, path)))
    }
    for (const { answer, ...request } of old.kept) {
      const again = await askKept(asked, request)
      if (again !== answer) problems.push(`POST ${request.path} again: ${again} instead of ${answer}`)
    }
    // It goes on: what is new is sealed behind what there was.
    for (const { answer: _, ...request } of old.kept.slice(0, 1))
      await askKept(asked, { ...request, idempotencyKey: 'a new one' })
    problems.push(...(await verify()).found)
    return { last: old.last, examined: before.examined, compared, problems }
  } finally {
    await app.close()
  }
}

/** In a process of its own, as it loads the same libraries with other code. */
async function keptBy(tree: string, place: Place): Promise<OldAnswers> {
  const script = fileURLToPath(new URL('keep-books.ts', import.meta.url))
  const args = ['--import', 'tsx', script, tree, JSON.stringify(place)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 })
  return JSON.parse(stdout)
}

/** What was shown of each object and is not shown like that any more; attributes may be added. */
function differences(path: string, olds: readonly JsonObject[], now: readonly JsonObject[]): string[] {
  const known = new Map(now.map((object) => [object.id, object]))
  return olds.map(asShownNow).flatMap((old) => {
    const current = known.get(old.id)
    if (!current) return [`${path}: ${old.id} has gone`]
    return Object.keys(old)
      .filter((name) => !isDeepStrictEqual(old[name], current[name]))
      .map(
        (name) =>
          `${path}: ${old.id}.${name}: ${JSON.stringify(current[name])} instead of ${JSON.stringify(old[name])}`,
      )
  })
}

/** Flags that older versions showed as null as long as nobody had set them, and that are shown as false. */
const UNSET_FLAGS = ['default_payment_method', 'is_default']

function asShownNow(old: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(old), (name, value) =>
    value === null && UNSET_FLAGS.includes(name) ? false : value,
  )
}
