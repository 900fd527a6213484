import { join } from 'node:path'
import process from 'node:process'
import { string } from '@oclif/core/flags'
import { systemClock } from '../../platform/clock.js'
import { systemRandom } from '../../platform/random.js'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import { MAX_FINDINGS } from '../../resources/admin/verify-operation.js'
import { parsedJson } from '../../schema/json.js'
import type { ClientRequest, JsonObject, QueryPair } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { type Choices, formatOf } from '../terminal/command/global-flags.js'
import { registry } from '../terminal/declarations/declared-registry.js'
import { EXIT } from '../terminal/failure/exit-codes.js'
import { UsageError } from '../terminal/failure/failure.js'
import { readTextFile } from '../terminal/input/data.js'
import { fieldsQuery } from '../terminal/input/query-text.js'
import { shapeless, shapeOfAnswer } from '../terminal/input/shape.js'
import { writeTextFile } from '../terminal/output/file-sink.js'
import { groupedDigits } from '../terminal/output/progress.js'

const { verify } = adminOperations

export class Verify extends PayctlCommand {
  static override summary = verify.summary
  static override usage = 'verify [flags]'
  static override examples = [
    'payctl verify',
    'payctl verify --env live --json',
    'payctl verify --head /mnt/elsewhere/payctl.head.live --env live',
    'payctl verify --proof txn_… --out proof.json',
    'payctl verify --check-proof proof.json --public-key books.pem',
  ]
  static override flags = {
    proof: string({
      summary: 'write a proof that an object is in the sealed books as it is now',
      helpValue: '<id>',
      exclusive: ['check-proof'],
    }),
    out: string({
      summary: 'file for the proof; stdout unless given',
      helpValue: '<file>',
      dependsOn: ['proof'],
    }),
    'check-proof': string({
      summary: 'check a proof, without any database',
      helpValue: '<file>',
      dependsOn: ['public-key'],
    }),
    head: string({
      summary: 'compare with a signed head that was kept elsewhere, too',
      helpValue: '<file>',
      exclusive: ['proof', 'check-proof'],
    }),
    'public-key': string({ summary: 'what payctl books key prints', helpValue: '<file>' }),
  }

  protected override readonly examines = true

  async run(): Promise<void> {
    const { flags } = await this.parse(Verify)
    if (flags.proof !== undefined) return await this.prove(flags.proof, flags.out)
    const { 'check-proof': file, 'public-key': key } = flags
    if (file !== undefined && key !== undefined) {
      const problem = await problemOf(file, key)
      await this.print(flags, { file, genuine: problem === undefined, problem: problem ?? null }, shapeless)
      if (problem !== undefined) process.exitCode = EXIT.partly
      return
    }
    const named = flags.fields ?? flags.columns
    const head: QueryPair[] = flags.head === undefined ? [] : [['head', await headIn(flags.head)]]
    const query = [...head, ...fieldsQuery(named)]
    const request = { method: verify.method, path: `/${verify.path}`, query }
    const answer = (await this.obstacles()) ?? (await this.proof(flags, request, named !== undefined))
    const { found } = answer
    if (found === 0 && named === undefined && formatOf(flags) === 'table')
      await this.write(flags, goodText(answer))
    else await this.print(flags, answer, shapeOfAnswer(registry, verify))
    if (found !== 0) process.exitCode = EXIT.partly
  }

  /** Proves the books: those of this machine on two threads, unless `--fields` selects attributes of the answer. */
  private async proof(choices: Choices, request: ClientRequest, isNamed: boolean): Promise<JsonObject> {
    if (isNamed || this.settings().server) return (await this.ask(choices, request)).body
    const only = (part: string): QueryPair[] => [...(request.query ?? []), ['only', part]]
    const { environment, ...place } = await this.localPlace()
    const { verifyBooks } = await import('../list-threads/verify-books.js')
    const file = join(this.config.root, 'dist', 'read-thread.cjs')
    const books = verifyBooks(file, { ...place, examines: true }, environment, only('books'))
    try {
      const [rules, sealed] = await Promise.all([
        this.ask(choices, { ...request, query: only('rules') }),
        books.answer,
      ])
      return both(rules.body, sealed)
    } finally {
      await books.close()
    }
  }

  /** Answer with the reasons why a local database cannot be checked; undefined if it can. */
  private async obstacles(): Promise<JsonObject | undefined> {
    if (this.settings().server) return undefined
    const { verifiable } = await import('../../installation/verifiable.js')
    const obstacles = await verifiable(await this.localPlace())
    if (obstacles !== 'unused' && obstacles.length === 0) return undefined
    const findings = obstacles === 'unused' ? [] : obstacles.map((one) => ({ ...one }))
    return { object: verify.object, examined: 0, found: findings.length, findings }
  }

  private async localPlace() {
    const { home, databaseUrl, environment } = await this.localSettings('anybody')
    return { home: home.value, databaseUrl: databaseUrl?.value, environment: environment.value }
  }

  private async prove(id: string, out: string | undefined): Promise<void> {
    const { proveRow } = await import('../../installation/prove-row.js')
    const proof = await proveRow(
      { ...(await this.localPlace()), random: systemRandom, clock: systemClock },
      id,
    )
    const text = `${JSON.stringify(proof, null, 2)}\n`
    if (out === undefined) process.stdout.write(text)
    else await writeTextFile(out, text)
  }
}

/** The answer about both parts of a proof. */
function both(rules: JsonObject, books: JsonObject): JsonObject {
  const sum = (name: string) => Number(rules[name]) + Number(books[name])
  const findings = [rules, books].flatMap(({ findings: found }) => (Array.isArray(found) ? found : []))
  return {
    object: verify.object,
    examined: sum('examined'),
    found: sum('found'),
    findings: findings.slice(0, MAX_FINDINGS),
  }
}

/** Sentence about an answer without findings. */
function goodText({ examined }: JsonObject): string {
  const count = Number(examined)
  return count === 0
    ? 'There is nothing to examine yet; every rule of money holds.\n'
    : `All ${groupedDigits(count)} facts examined; every rule of money holds.\n`
}

/** The last signed head in a file with one head per line. */
async function headIn(file: string): Promise<string> {
  const { readSignedHead, signedHeadText } = await import('../../engine/store/books/signed-head.js')
  const head = readSignedHead(await readTextFile(file))
  if (!head) throw new UsageError(`${file} holds no signed head that payctl serve has published`)
  return signedHeadText(head)
}

async function problemOf(file: string, key: string): Promise<string | undefined> {
  const { isInclusionProof, isPublicKey, proofProblem } = await import(
    '../../engine/store/books/inclusion-proof.js'
  )
  const proof = parsedJson(await readTextFile(file))
  if (!isInclusionProof(proof))
    throw new UsageError(`${file} is not a proof that payctl verify --proof wrote`)
  const pem = await readTextFile(key)
  if (!isPublicKey(pem)) throw new UsageError(`${key} is not a public key as payctl books key prints it`)
  return proofProblem(proof, pem)
}
