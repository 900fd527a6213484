/** An element as pages name it: the element, a list such as jQuery's, its id or its selector. */
export type ElementGiven =
  | Element
  | (ArrayLike<Element> & { readonly nodeType?: undefined })
  | string
  | null
  | undefined

/** An element of the page; undefined for none. */
export function elementOf(given: ElementGiven): Element | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given !== 'string') return isElement(given) ? given : given[0]
  return document.getElementById(given) ?? document.querySelector(given) ?? undefined
}

function isElement(given: Exclude<ElementGiven, string | null | undefined>): given is Element {
  return given.nodeType === Node.ELEMENT_NODE
}

/** Reads or changes the session storage of this page; undefined if the browser refuses it. */
export function stored<Value>(change: (storage: Storage) => Value): NonNullable<Value> | undefined {
  try {
    return change(sessionStorage) ?? undefined
  } catch {
    return undefined
  }
}

/** Puts an id into a form of the page, and submits the form if it should be. */
export function submitWith(form: Element, name: string, value: string, isSubmitted: boolean): void {
  const field =
    form.querySelector<HTMLInputElement>(`input[name="${name}"]`) ?? document.createElement('input')
  field.type = 'hidden'
  field.name = name
  field.value = value
  form.append(field)
  if (isSubmitted) HTMLFormElement.prototype.submit.call(form)
}
