import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { document } from '../../support/contract/document.js'
import { onSqlite } from '../../support/databases.js'
import { codeOf, oauthWorld } from '../../support/oauth.js'
import { openShop, type Shop } from './shop.js'

const EXAMPLES = fileURLToPath(new URL('client/examples.ts', import.meta.url))
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
}

const RUNNABLE = { target: OPTIONS.target, module: ts.ModuleKind.ES2022 }

describe('interface line 9: OpenAPI', () => {
  onSqlite((open) => {
    let shop: Shop
    let folder: string

    before(async () => {
      shop = await openShop(open)
      folder = await mkdtemp(join(tmpdir(), 'payctl-client-'))
    })
    after(() => rm(folder, { recursive: true }))

    it('a client generated from the document compiles the examples and filters, and they work', async () => {
      await writeFile(join(folder, 'package.json'), '{"type":"module"}')
      await writeFile(join(folder, 'paths.d.ts'), astToString(await openapiTS(JSON.stringify(document))))
      const source = await readFile(EXAMPLES, 'utf8')
      await writeFile(join(folder, 'examples.ts'), source)
      await symlink(PACKAGES, join(folder, 'node_modules'))
      expect(problems(join(folder, 'examples.ts'))).to.deep.equal([])

      const { outputText } = ts.transpileModule(source, { compilerOptions: RUNNABLE })
      await writeFile(join(folder, 'examples.js'), outputText)
      const { examples } = await import(pathToFileURL(join(folder, 'examples.js')).href)
      const world = await oauthWorld(shop.service)
      const oauth = { code: await codeOf(world), client_id: world.clientId, client_secret: world.key }
      expect(await examples(shop.service.address, shop.key, shop.account, oauth)).to.deep.equal({
        paid: ['processed', 'processed', 'voided', 'refund'],
        ledger: [['refund', -10]],
        entries: [['refund', -10]],
        customers: ['Bea', 'Cy'],
        changed: ['changed', 'changed'],
        listed: ['2125550100', '2125550100'],
        removed: ['Cy'],
        due: 12.5,
        schedule: ['active', 15],
        logs: [],
        deleted: 1,
        filtered: 2,
        between: 1,
        like: 1,
        deposits: 0,
        active: 1,
        tokens: [
          ['oauth_token', 3600],
          ['oauth_token', 3600],
        ],
        errors: ['InvalidAttributes', 'InvalidAttributes', 'InvalidAttributes'],
        details: { name: 'Required', email: 'Must be valid email' },
      })
    })
  })
})

/** Compile errors, each with its line. */
function problems(file: string): string[] {
  const program = ts.createProgram([file], OPTIONS)
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const line = diagnostic.start && diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start).line
    return `${line === undefined ? '' : Number(line) + 1}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`
  })
}
