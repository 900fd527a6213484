import { problemOf } from './field-checks.js'

/** A part of a form with one value. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export function isControl(element: unknown): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  )
}

/** The text of an input's problem; undefined for none. A missing value is one only when the form is sent. */
export function problemText({ name, value, dataset }: Control, isSending: boolean): string | undefined {
  if (isSending && value.trim() === '') return dataset['missing']
  const problem = problemOf(name, value, Date.now())
  return problem && dataset[problem]
}
