import type { Resource } from '../resource.js'

/** `payment_method` as `PaymentMethod`; `admin/keys` as `AdminKeys`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[_/-])([a-z0-9])/g, (_, first: string) => first.toUpperCase())
}

/** Names of a resource's schemas in the document. */
export function schemaNames({ name }: Resource) {
  const base = pascal(name)
  return {
    /** Every default attribute, and no other. */
    whole: base,
    /** Any attributes: those that `fields` requests. */
    selection: `${base}Selection`,
    list: `${base}List`,
    selectionList: `${base}SelectionList`,
    /** What clients may send of an object, nested in another or to change it. */
    input: `${base}Input`,
    create: `${base}Create`,
    createList: `${base}CreateList`,
    updateList: `${base}UpdateList`,
    deleteList: `${base}DeleteList`,
  } as const
}
