import type { TestCore } from '../../support/core.js'

/** Balances in cents, by book account; accounts at zero are omitted. */
export type Books = Record<string, number>

/** Balances of a processing account in cents, computed from the stored postings. */
export async function booksOf(core: TestCore, processingId: string): Promise<Books> {
  const handle = core.environment.core
  const postings = await handle.write((work) =>
    work.tx.db.selectFrom('postings').selectAll().where('processing_id', '=', processingId).execute(),
  )
  const books: Books = {}
  for (const { from_account: from, to_account: to, amount } of postings) {
    books[from] = (books[from] ?? 0) - Number(amount)
    books[to] = (books[to] ?? 0) + Number(amount)
  }
  return Object.fromEntries(Object.entries(books).filter(([, sum]) => sum !== 0))
}

/** The events about an object, as `trigger value`, oldest first. */
export async function eventsOf(core: TestCore, id: string): Promise<string[]> {
  const handle = core.environment.core
  const events = await handle.write((work) =>
    work.tx.db.selectFrom('events').selectAll().where('object_id', '=', id).orderBy('id').execute(),
  )
  return events.map(({ trigger, value }) => `${trigger} ${value}`)
}
