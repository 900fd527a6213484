import type { Resource } from '../resource.js'

/** Name in Pascal case: `payment_method` gives `PaymentMethod`, `admin/keys` gives `AdminKeys`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[_/-])([a-z0-9])/g, (_, first: string) => first.toUpperCase())
}

/** Names of a resource's schemas in the document. */
export function schemaNames({ name }: Resource) {
  const base = pascal(name)
  return {
    /** Exactly the default attributes. */
    whole: base,
    /** Any attributes, as requested by `fields`. */
    selection: `${base}Selection`,
    list: `${base}List`,
    selectionList: `${base}SelectionList`,
    /** Attributes that clients may send, in a nested object or to change an object. */
    input: `${base}Input`,
    create: `${base}Create`,
    createList: `${base}CreateList`,
    updateList: `${base}UpdateList`,
    deleteList: `${base}DeleteList`,
  } as const
}
