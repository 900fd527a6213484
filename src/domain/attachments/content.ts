import { createHash } from 'node:crypto'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'

/** Stores the file of an attachment, in the unit of work that creates the attachment. */
export async function storeContent(work: Work, id: string, content: Buffer): Promise<void> {
  await work.tx.change(insertContent, { id, content })
}

/** The SHA-256 of a file, which proves that it is unchanged. */
export function checksumOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Deletes the file of an attachment that is deleted. */
export async function deleteContent(work: Work, id: string): Promise<void> {
  await work.tx.change(deleteContentById, { id })
}

/** The file of an attachment. */
export async function contentOf(work: Work, id: string): Promise<Buffer | undefined> {
  const [row] = await work.tx.run(contentById, { id })
  return row?.content
}

const insertContent = prepared<{ id: string; content: Buffer }, never>((db, param) =>
  db.insertInto('attachment_contents').values({ id: param('id'), content: param('content') }),
)

const deleteContentById = prepared<{ id: string }, never>((db, param) =>
  db.deleteFrom('attachment_contents').where('id', '=', param('id')),
)

const contentById = prepared<{ id: string }, { content: Buffer }>((db, param) =>
  db.selectFrom('attachment_contents').select('content').where('id', '=', param('id')),
)
