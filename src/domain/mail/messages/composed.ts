import type { MailContent, MailFact } from './mail-content.js'

/** A composed message, or the reason why it is not needed any more. */
export type Composed =
  | { readonly kind: 'written'; readonly content: MailContent }
  | { readonly kind: 'dropped'; readonly problem: string }

export function written(content: MailContent): Composed {
  return { kind: 'written', content }
}

export function dropped(problem: string): Composed {
  return { kind: 'dropped', problem }
}

/** The facts that have a value. */
export function mailFacts(
  facts: readonly (readonly [label: string, value: string | false | null | undefined])[],
): MailFact[] {
  return facts.flatMap(([label, value]): MailFact[] => (value ? [[label, value]] : []))
}
