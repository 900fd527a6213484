import type { FlagDescription } from '../../../schema/flag-description.js'
import { type FormField, helpLabel, promptedLabel } from '../../../schema/form.js'

/** Label of an attribute in a prompt, from the resource's form, or else from its name. */
export function labelOf(description: Pick<FlagDescription, 'path' | 'name' | 'kind' | 'form'>): string {
  const { form, kind } = description
  if (form) return promptedLabel(form)
  const called = words(description)
  return kind === 'date' ? `${called}, YYYY-MM-DD` : called
}

/** Name of an attribute in a confirmation, without format. */
export function factLabel(description: Pick<FlagDescription, 'path' | 'name' | 'form'>): string {
  return description.form?.label ?? words(description)
}

/** Summary of a flag in help, with the condition under which it is required. */
export function flagSummary({ form, required, doc }: FlagDescription): string {
  const text = form ? helpLabel(form) : doc
  if (required) return `(required) ${text}`
  const need = form && neededText(form)
  return need === undefined ? text : `(${need}) ${text}`
}

function neededText({ needed, with: condition }: FormField): string | undefined {
  if (!needed) return undefined
  if (condition) return `required with --${flagName(condition.at)} ${condition.is}`
  return ['required', ...needed.unless.map((at) => `unless --${flagName(at)}`)].join(' ')
}

function flagName(at: string): string {
  return at.replaceAll('_', '-')
}

/** Label from a name, such as `id of the customer` for `customer_id`. */
function words({ path, name }: Pick<FlagDescription, 'path' | 'name'>): string {
  const last = path.at(-1) ?? name
  const [, named] = /^(\w+)_id$/.exec(last) ?? []
  return (named === undefined ? last : `id of the ${named}`).replaceAll('_', ' ')
}
