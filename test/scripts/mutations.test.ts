import { expect } from 'chai'
import ts from 'typescript'
import { mutationOf } from '../../scripts/mutations/mutation.js'
import { editsOf } from '../../scripts/mutations/operators.js'
import { filesOf, TARGETS } from '../../scripts/mutations/targets.js'

const FILE = 'example.ts'

/** Faults that the mutation operators make in a text, each as operator and changed line. */
function faultsIn(text: string): string[] {
  const source = ts.createSourceFile(FILE, text, ts.ScriptTarget.ES2023, true)
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name) => (name === FILE ? source : undefined),
  }
  const checker = ts.createProgram([FILE], { noLib: true, strict: true }, host).getTypeChecker()
  return editsOf(source, checker).map((edit) => {
    const { operator, after } = mutationOf(FILE, source, edit)
    return `${operator}: ${after}`
  })
}

describe('mutation tests', () => {
  for (const { name, sources, specs } of TARGETS)
    it(`find the files of ${name} and the tests that must detect a fault in them`, () => {
      expect(() => [...sources, ...specs].map((glob) => filesOf(process.cwd(), [glob]))).to.not.throw()
    })

  const faults: [string, readonly string[]][] = [
    ['export const LIMIT = 7', ['number: export const LIMIT = 8', 'number: export const LIMIT = 6']],
    ['export const ROWS_SIZE = 7', []],
    [
      'export const isOver = (a: number) => a > 0',
      [
        'boundary: export const isOver = (a: number) => a >= 0',
        'number: export const isOver = (a: number) => a > 1',
        'number: export const isOver = (a: number) => a > (-1)',
      ],
    ],
    [
      'export const sum = (a: number, b: number) => a + b',
      [
        'number: export const sum = (a: number, b: number) => (a + b + 1)',
        'number: export const sum = (a: number, b: number) => (a + b - 1)',
        'sign: export const sum = (a: number, b: number) => a - b',
      ],
    ],
    ['export const text = (a: string) => a + a', []],
    ['export const minus = (a: number) => -a', ['sign: export const minus = (a: number) => a']],
    [
      'export const one = (a: boolean, b: boolean) => a && b',
      ['logic: export const one = (a: boolean, b: boolean) => a || b'],
    ],
    [
      'export const other = (a: boolean) => (!a ? a : true)',
      ['branch: export const other = (a: boolean) => (a ? a : true)'],
    ],
    ['declare function told(): void\ntold()', ['call: ;']],
    [
      'declare const db: { where(...of: string[]): void }\nexport const q = db.where("due", "<=", "now")',
      [`boundary: export const q = db.where("due", '<', "now")`],
    ],
    [
      'declare const sql: (text: TemplateStringsArray) => string\nexport const s = sql`a + b <= c`',
      ['sign: export const s = sql`a - b <= c`', 'boundary: export const s = sql`a + b < c`'],
    ],
    [
      'export const f = (p: { fee: number; amount: number; id: string }) => p.fee',
      ['field: export const f = (p: { fee: number; amount: number; id: string }) => p.amount'],
    ],
    [
      'export const f = ({ fee }: { fee: number; amount: number; id: string }) => fee',
      ['field: export const f = ({ amount: fee }: { fee: number; amount: number; id: string }) => fee'],
    ],
  ]
  for (const [text, expected] of faults)
    it(`make in ${text.split('\n').at(-1)} the expected faults: ${expected.length}`, () => {
      expect(faultsIn(text).sort()).to.deep.equal([...expected].sort())
    })
})
