import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { JsonObject } from '../../../schema/json.js'
import type { ClientRequest } from '../client/client.js'
import { groupedDigits } from '../output/progress.js'
import { type BatchFile, rowsOf } from './batch-file.js'
import type { BatchJob } from './batch-job.js'
import type { BatchPlan } from './batch-plan.js'
import { batchesOf } from './send-all.js'

/** Maximum number of rows in one request. */
const BATCH_SIZE = 1_000

interface EditedStage {
  readonly dryRun: boolean
  ask(request: ClientRequest): Promise<ApiResponse>
  /** Shows a warning, and throws unless the operator agrees. With `isAgreed`, the operator has agreed by a flag. */
  agree(warning: string, isAgreed: boolean): Promise<void>
}

interface CountedFile {
  readonly batchId: string
  readonly file: BatchFile
  readonly plan: Pick<BatchPlan, 'repeated'>
}

/**
 * Warns about rows that may have been edited. The file then lacks rows that the batch has done, and has
 * rows unknown to the batch. Without a key, an edited row counts as new and would be done again. Throws
 * unless the operator agrees.
 */
export async function agreeToEdited(
  stage: EditedStage,
  { as, redoEdited }: Pick<BatchJob, 'as' | 'redoEdited'>,
  counted: CountedFile,
  { edited, done, waiting }: JsonObject,
): Promise<void> {
  if (edited !== true || counted.file.key) return
  const known = await countKnown(stage, as, counted)
  const missing = Number(done) + Number(waiting) - known.done
  if (missing > 0 && known.unknown > 0)
    await stage.agree(editedText(missing, known.unknown), redoEdited || stage.dryRun)
}

function editedText(missing: number, unknown: number): string {
  const rows = (count: number) => `${groupedDigits(count)} ${count === 1 ? 'row' : 'rows'}`
  return (
    `${rows(missing)} that this batch has done ${missing === 1 ? 'is' : 'are'} not in the file any more, and ` +
    `${rows(unknown)} of the file ${unknown === 1 ? 'is' : 'are'} new: a row that was edited, or is read by other options, is new, and is done again.`
  )
}

/** Number of the file's rows that the batch has done, and of rows unknown to the batch, by their content. */
async function countKnown(
  { ask }: Pick<EditedStage, 'ask'>,
  as: string,
  { batchId: id, file, plan }: CountedFile,
): Promise<{ readonly done: number; readonly unknown: number }> {
  let [done, unknown] = [0, 0]
  for await (const batch of batchesOf(rowsOf(file), { size: BATCH_SIZE, isRepeated: plan.repeated > 0 })) {
    const rows = batch.map(({ body, occurrence }) => ({ body, occurrence }))
    const { body } = await ask({ method: 'POST', path: '/admin/batches/known-rows', body: { id, as, rows } })
    done += Number(body.done) + Number(body.waiting)
    unknown += Number(body.unknown)
  }
  return { done, unknown }
}
