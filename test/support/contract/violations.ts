import { type CheckedAnswer, type CheckedRequest, problemsOf } from './check.js'

const found: string[] = []

/** Checks an answer against the document; a violation fails the current test. */
export function check(request: CheckedRequest, answer: CheckedAnswer): void {
  found.push(...problemsOf(request, answer))
}

/** Throws if an answer since the last call violated the document. */
export function expectDocumented(): void {
  const [first, ...more] = found.splice(0)
  if (first === undefined) return
  throw new Error(
    `${first}${more.length > 0 ? `, and ${more.length} more` : ''}\n${more.slice(0, 9).join('\n')}`,
  )
}
