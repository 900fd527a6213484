const UNRELEASED = '## [Unreleased]'

/**
 * Moves the unreleased changes into a section for the new version. Returns the new changelog, and the section as
 * release notes. Throws if there are no unreleased changes.
 */
export function cutRelease(
  changelog: string,
  version: string,
  date: string,
): { readonly text: string; readonly notes: string } {
  const start = changelog.indexOf(UNRELEASED)
  if (start < 0) throw new Error(`CHANGELOG.md has no section ${UNRELEASED}`)
  const rest = changelog.slice(start + UNRELEASED.length)
  const end = rest.search(/^## \[/m)
  const notes = (end < 0 ? rest : rest.slice(0, end)).trim()
  if (notes === '') throw new Error('CHANGELOG.md has nothing that is unreleased')
  const older = end < 0 ? '' : `\n${rest.slice(end)}`
  const text = `${changelog.slice(0, start)}${UNRELEASED}\n\n## [${version}] - ${date}\n\n${notes}\n${older}`
  return { text, notes }
}

/**
 * The next version. `word` is `major`, `minor`, `patch`, or the version itself (`1.0.0`). Throws for any other word.
 */
export function nextVersion(current: string, word: string): string {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number)
  if (word === 'major') return `${major + 1}.0.0`
  if (word === 'minor') return `${major}.${minor + 1}.0`
  if (word === 'patch') return `${major}.${minor}.${patch + 1}`
  if (!/^\d+\.\d+\.\d+$/.test(word))
    throw new Error(`Expected major, minor, patch or a version such as 1.0.0, not ${word}`)
  if (compare(word, current) <= 0) throw new Error(`${word} does not follow ${current}`)
  return word
}

function compare(a: string, b: string): number {
  const other = b.split('.').map(Number)
  const differences = a.split('.').map((part, index) => Number(part) - (other[index] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
