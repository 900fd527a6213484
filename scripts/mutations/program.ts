import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Compiler errors about unused names. They are ignored, because a mutation may cause them. */
const UNUSED = new Set([6133, 6192, 6196, 6198, 6199])

/** The project in TypeScript's compiler, with one file changed at a time. */
export interface Project {
  source(file: string): ts.SourceFile
  readonly checker: ts.TypeChecker
  /** Whether the project compiles if a file has another text. */
  compiles(file: string, text: string): boolean
}

export function openProject(root: string): Project {
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const sources = config.fileNames.filter((name) => name.startsWith(join(root, 'src/')))
  const changed = new Map<string, string>()
  let version = 0
  const service = ts.createLanguageService({
    getScriptFileNames: () => sources,
    getScriptVersion: (name) => (changed.has(name) ? `changed ${version}` : ''),
    getScriptSnapshot(name) {
      const text = changed.get(name) ?? ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => config.options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
  })
  const program = service.getProgram()
  if (!program) throw new Error('The project has no program')
  return {
    checker: program.getTypeChecker(),
    source(file) {
      const source = program.getSourceFile(join(root, file))
      if (!source) throw new Error(`${file} is not part of the project`)
      return source
    },
    compiles(file, text) {
      const name = join(root, file)
      changed.set(name, text)
      version++
      const found = [...service.getSyntacticDiagnostics(name), ...service.getSemanticDiagnostics(name)]
      changed.delete(name)
      return found.every(({ code }) => UNUSED.has(code))
    },
  }
}

export function readSource(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
