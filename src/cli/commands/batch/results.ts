import { string } from '@oclif/core/args'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { batchNamed } from '../../terminal/batch/batch-named.js'
import type { Json, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import type { Choices } from '../../terminal/command/global-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { type AnswerSchema, shapeOfAnswer, shapeOfFields } from '../../terminal/input/shape.js'

const { begin_batch: beginBatch, list_batch_rows: listRows } = adminOperations
const batchShape = shapeOfAnswer(registry, beginBatch)
const rowShape: AnswerSchema = { ...shapeOfFields(registry, listRows.output.rows.fields), isProse: true }

export class BatchResults extends PayctlCommand {
  static override summary = 'list batches, or the outcomes of the rows of one'
  static override usage = 'batch results [BATCH] [flags]'
  static override examples = ['payctl batch results', 'payctl batch results refunds.csv --json']
  static override args = {
    batch: string({ description: 'name of the batch; lists all batches unless given' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BatchResults)
    if (args.batch === undefined) await this.listBatches(flags)
    else await this.listRows(flags, args.batch)
  }

  private async listBatches(choices: Choices): Promise<void> {
    const { body } = await this.ask(choices, { method: 'GET', path: '/admin/batches' })
    const columns = ['id', 'as', 'status', 'rows', 'done', 'declined', 'failed', 'began_at'].map((name) => [
      name,
    ])
    await this.print(choices, listOf(body.batches), { ...batchShape, columns })
  }

  /** Prints the outcomes of all rows. */
  private async listRows(choices: Choices, id: string): Promise<void> {
    await batchNamed((request) => this.ask(choices, request), id)
    const rows: Json[] = []
    let after: Json | undefined
    do {
      const query: QueryPair[] = [['id', id], ...(after ? [['after', String(after)] as const] : [])]
      const { body } = await this.ask(choices, { method: 'GET', path: '/admin/batches/rows', query })
      rows.push(...(Array.isArray(body.rows) ? body.rows : []))
      after = body.after
    } while (after)
    await this.print(choices, listOf(rows), rowShape)
  }
}

function listOf(values: Json | undefined): JsonObject {
  return { object: 'list', values: values ?? [] }
}
