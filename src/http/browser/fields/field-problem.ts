import { problemOf } from './field-checks.js'

/** The text of an input's problem; undefined for none. A missing value is one only when the form is sent. */
export function problemText(
  { name, value, dataset }: HTMLInputElement,
  isSending: boolean,
): string | undefined {
  if (isSending && value.trim() === '') return dataset['missing']
  const problem = problemOf(name, value, Date.now())
  return problem && dataset[problem]
}
