import type { Principal } from '../../../../src/engine/core/request/principal.js'
import type { ApiResponse } from '../../../../src/engine/core/request/request.js'
import type { TestCore } from '../../../support/core.js'
import type { Asked } from './asked.js'

/** The answers that a principal gets to requests. Writes are dry runs, so all requests see the same objects. */
export async function hear(
  core: TestCore,
  principal: Principal,
  asked: readonly Asked[],
): Promise<ApiResponse[]> {
  const heard: ApiResponse[] = []
  for (const { method, path, query, body } of asked) {
    const dryRun = method !== 'GET'
    heard.push(await core.send(method, path, body, { query, principal, dryRun, count: true }))
  }
  return heard
}

/**
 * An answer as text. Ids are replaced by the result of `name`. Unknown ids were generated for the answer;
 * they are removed together with numbers, secrets and signatures.
 */
export function textOf(
  { status, body, headers }: ApiResponse,
  name: (id: string) => string | undefined,
): string {
  return (
    JSON.stringify([status, body, headers])
      .replace(/"whsec_[^"]+"|"(test_)?secret_key_\w*…\w+"/g, '"<secret>"')
      // Each answer seals its cursors anew. Only their length is compared, which shows that of their values.
      .replace(/\bafter=[0-9a-f]+\.([\w-]+)/g, (_, sealed: string) => `after=<${sealed.length} characters>`)
      .replace(/\b([0-9A-Za-z_]{22,})\?[^"]*signature=[\w-]+/g, (address, id: string) =>
        name(id) === undefined ? '<address>' : address,
      )
      .replace(/\b[0-9A-Za-z_]{22,}\b/g, (id) => name(id) ?? '<new>')
      .replace(/\b[2-9A-Z]{4}(-[2-9A-Z]{4}){3}\b/g, '<number>')
  )
}

/** Descriptions of some requests whose answers differ from the expected answers. */
export function differences(
  asked: readonly Asked[],
  before: readonly string[],
  after: readonly string[],
): string[] {
  return asked
    .map((one, index) => ({ one, was: before[index] ?? '', is: after[index] ?? '' }))
    .filter(({ was, is }) => was !== is)
    .slice(0, 5)
    .map(({ one, was, is }) => `${JSON.stringify(one)}: ${partOf(was, is)} and then ${partOf(is, was)}`)
}

/** The part of a text around its first difference from another text. */
function partOf(text: string, other: string): string {
  const at = [...text].findIndex((character, index) => character !== other[index])
  return text.slice(Math.max(0, at - 60), at + 60)
}
