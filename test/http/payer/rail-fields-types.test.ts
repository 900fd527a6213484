import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import ts from 'typescript'
import { ACTION_SCRIPT } from '../../../src/http/browser/action-script.js'
import { RAIL_PAGE_FIELD } from '../../../src/http/browser/components/rail-page-field.js'
import { RAIL_FIELDS } from '../../../src/http/browser/rail-fields/rail-fields-script.js'

const TYPES = 'node_modules/@stripe/stripe-js/dist/index.d.ts'
const STAND_IN = 'test/gateways/stripe/stand-in/stripe-js.js'

/** Errors of a page script compiled against the types of `@stripe/stripe-js`. */
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

describe('scripts that use Stripe.js', () => {
  before(() => {
    if (!existsSync(TYPES)) throw new Error('The types of Stripe.js are not installed: run npm ci')
  })

  const page = (text: string) => `${text}\nexport {}\n`
  const ofStripe = (problems: readonly string[]) => problems.filter((text) => !UNTYPED.test(text))

  it('include a page script that matches the types of Stripe.js', () => {
    expect(ofStripe(problemsOf('rail-fields.js', page(RAIL_FIELDS)))).to.deep.equal([])
  })

  it('are checked so that a call missing from the types of Stripe.js is found', () => {
    const wrong = RAIL_FIELDS.replace("elements.create('cardCvc'", "elements.create('cardCode'")
    expect(wrong).not.to.equal(RAIL_FIELDS)
    const problems = ofStripe(problemsOf('rail-fields.js', page(wrong)))
    expect(problems.join()).to.include('cardCode')
  })

  it("include a script of a shop's page that the types of Stripe.js accept", () => {
    const text = page(`${PARTS}${RAIL_PAGE_FIELD}`)
    expect(ofStripe(problemsOf('shop-page.js', text))).to.deep.equal([])
  })

  it('include a script for payers who authenticate, accepted by the types of Stripe.js', () => {
    expect(ofStripe(problemsOf('action.js', page(ACTION_SCRIPT)))).to.deep.equal([])
  })

  it('include a test double that matches the types of Stripe.js', async () => {
    const text = await readFile(STAND_IN, 'utf8')
    expect(problemsOf('stand-in.js', page(text))).to.deep.equal([])
  })
})

/** Declarations of the other parts that the script of a shop’s page uses. */
const PARTS = `
/** @param {HTMLElement} element @returns {'card' | 'card_number' | 'expiry' | 'card_code' | 'cvc'} */
const nameOf = (element) => 'card'
/** @param {object} error @returns {Error & { data: object }} */
const componentError = (error) => Object.assign(new Error(), { data: error })
`

/** Pattern of compile errors to ignore: properties of elements and events, which do not concern Stripe's types. */
const UNTYPED = /does not exist on type '(Element|EventTarget|HTMLElement|Window & typeof globalThis|\{\})'/
