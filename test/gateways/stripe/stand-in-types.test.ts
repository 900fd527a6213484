import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import ts from 'typescript'

const TYPES = 'node_modules/@stripe/stripe-js/dist/index.d.ts'
const STAND_IN = 'test/gateways/stripe/stand-in/stripe-js.js'

/** Errors of a script compiled against the types of `@stripe/stripe-js`. */
function problemsOf(name: string, text: string): string[] {
  const options: ts.CompilerOptions = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    noImplicitAny: false,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (path, target, ...rest) =>
    path === name ? ts.createSourceFile(path, text, target) : read(path, target, ...rest)
  const exists = host.fileExists.bind(host)
  host.fileExists = (path) => path === name || exists(path)
  const program = ts.createProgram([name, TYPES], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start, file }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
    return `${file?.fileName.split('/').at(-1) ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

describe('the test double of Stripe.js', () => {
  before(() => {
    if (!existsSync(TYPES)) throw new Error('The types of Stripe.js are not installed: run npm ci')
  })

  const page = (text: string) => `${text}\nexport {}\n`

  it('matches the types of Stripe.js', async () => {
    const text = await readFile(STAND_IN, 'utf8')
    expect(problemsOf('stand-in.js', page(text))).to.deep.equal([])
  })
})
