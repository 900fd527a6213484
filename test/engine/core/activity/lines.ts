import type { JsonObject } from '../../../../src/schema/json.js'
import { type SendOptions, type TestCore, valuesOf } from '../../../support/core.js'

/** The lines of activity, oldest first, without null attributes. */
export async function linesOf(core: TestCore, filter = ''): Promise<JsonObject[]> {
  const lines = valuesOf(
    await core.ok('GET', '/admin/activity', undefined, { query: `order_by=id&limit=1000&${filter}` }),
  )
  return lines.map((line) => Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null)))
}

/** The lines that a request adds. */
export async function linesAfter(
  core: TestCore,
  ...[method, path, body, options]: Parameters<TestCore['send']>
): Promise<{ readonly status: number; readonly body: JsonObject; readonly lines: JsonObject[] }> {
  const before = await linesOf(core)
  const { status, body: answer } = await core.send(method, path, body, options)
  const lines = await linesOf(core)
  return { status, body: answer, lines: lines.slice(before.length) }
}

export const asKey = (more: Partial<NonNullable<SendOptions['principal']>> = {}): SendOptions => ({
  principal: { kind: 'key', id: 'key_of_a_shop', manage: false, ...more },
  through: 'http',
  requestId: 'req_1',
})
