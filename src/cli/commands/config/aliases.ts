import { registry } from '../../terminal/declarations/declared-registry.js'
import { topicOf } from '../derived/topic.js'

/** Short names of verbs, for all topics. */
const VERBS: Readonly<Record<string, string>> = { ls: 'list', show: 'get', new: 'create', rm: 'delete' }

/**
 * Replaces short names by full ones. A topic may be named by the prefix of its ids (`txn`) or its singular
 * (`invoice`), a verb by a short form such as `ls`. Words that already name a command or a topic are not
 * changed.
 */
export function resolvedAliases(ids: readonly string[], words: readonly string[]): readonly string[] {
  const [first, second, ...rest] = words
  if (first === undefined) return words
  const topic = hasCommand(ids, first) ? first : (topicNamed(first) ?? first)
  if (second === undefined) return [topic]
  const verb = Object.hasOwn(VERBS, second) ? VERBS[second] : undefined
  const isShort =
    verb !== undefined && !hasCommand(ids, `${topic}:${second}`) && hasCommand(ids, `${topic}:${verb}`)
  return [topic, isShort ? verb : second, ...rest]
}

function hasCommand(ids: readonly string[], start: string): boolean {
  return ids.some((id) => id === start || id.startsWith(`${start}:`))
}

/**
 * Topic with this short name; if several resources share a prefix, the topic of the resource that is declared first:
 * `acct` means accounts.
 */
function topicNamed(word: string): string | undefined {
  const named = registry.all.filter(({ admin }) => !admin)
  const found =
    named.find(({ prefix }) => prefix === `${word}_`) ??
    named.find(({ name }) => name.replaceAll('_', '-') === word)
  return found && topicOf(found)
}
