/**
 * Writes the man pages of a bundle: `payctl(1)` for all commands, and a page for each topic. They come from a fresh
 * bundle, so that none is outdated.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const DESCRIPTION =
  'payctl takes and pays out payments, bills customers, and serves the same over HTTP. Commands work on a database of this ' +
  'machine, or with a profile on a server. They prompt only at a terminal; what is piped is for programs.'

/** Writes the pages into a folder; returns their names. */
export async function writeManPages(bundle, folder) {
  const { COMMANDS, TOPICS, MEANINGS, ROOT_GROUPS } = createRequire(import.meta.url)(resolve(bundle))
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const ids = Object.keys(COMMANDS).filter((id) => !COMMANDS[id].hidden)
  const topics = topicsOf(ids.toSorted())
  const pages = [['payctl', mainPage({ COMMANDS, TOPICS, MEANINGS, ROOT_GROUPS, topics, version })]]
  for (const [topic, own] of topics)
    pages.push([`payctl-${topic}`, topicPage({ COMMANDS, TOPICS, topic, own, version })])
  await mkdir(folder, { recursive: true })
  for (const [name, text] of pages) await writeFile(join(folder, `${name}.1`), text)
  return pages.map(([name]) => name)
}

function topicOf(id) {
  return id.split(':')[0]
}

function topicsOf(ids) {
  const topics = new Map()
  for (const id of ids) topics.set(topicOf(id), [...(topics.get(topicOf(id)) ?? []), id])
  return topics
}

function mainPage({ COMMANDS, TOPICS, MEANINGS, ROOT_GROUPS, topics, version }) {
  const [first] = Object.values(COMMANDS)
  return page('payctl', version, [
    '.SH NAME',
    text('payctl - payment processing and billing'),
    '.SH SYNOPSIS',
    '\\fBpayctl\\fR \\fIcommand\\fR [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    text(DESCRIPTION),
    ...ROOT_GROUPS.flatMap((group) => task(group, COMMANDS)),
    '.SH ALL COMMANDS',
    ...[...topics].flatMap(([topic, [id]]) => [
      '.TP',
      `\\fBpayctl\\-${dashed(topic)}\\fR(1)`,
      text(sentence(TOPICS[topic]?.description ?? COMMANDS[id].summary)),
    ]),
    '.SH FLAGS OF EVERY COMMAND',
    ...flags(first.baseFlags),
    '.SH EXIT STATUS',
    ...MEANINGS.flatMap(([code, meaning]) => ['.TP', `\\fB${code}\\fR`, text(meaning)]),
    '.SH ENVIRONMENT',
    text('Every flag has a variable; payctl help environment lists them.'),
    '.SH FILES',
    text('Databases, keys, profiles and settings are in PAYCTL_HOME; payctl whoami says where that is.'),
  ])
}

/** Section of the main page about a task: commands with their meanings, and related pages. */
function task({ head, commands, also }, COMMANDS) {
  return [
    `.SH ${head}`,
    ...Object.entries(commands).flatMap(([id, meaning]) => [
      '.TP',
      `\\fBpayctl ${dashed(id.replaceAll(':', ' '))}\\fR`,
      text(sentence(meaning)),
      ...(COMMANDS[id].examples ?? [])
        .filter((example) => example !== `payctl ${id.replaceAll(':', ' ')}`)
        .slice(0, 1)
        .flatMap((example) => ['.nf', text(example), '.fi']),
    ]),
    '.PP',
    `See also ${[...new Set([...Object.keys(commands), ...also].map(topicOf))].map((topic) => `\\fBpayctl\\-${dashed(topic)}\\fR(1)`).join(', ')}.`,
  ]
}

function topicPage({ COMMANDS, TOPICS, topic, own, version }) {
  const [first] = own
  const summary = described(TOPICS[topic]?.description ?? COMMANDS[first].summary)
  return page(`payctl-${topic}`, version, [
    '.SH NAME',
    text(`payctl-${topic} - ${summary}`),
    '.SH COMMANDS',
    ...own.flatMap((id) => command(id, COMMANDS[id])),
    '.SH SEE ALSO',
    '\\fBpayctl\\fR(1), for the flags of every command',
  ])
}

function command(id, { usage, summary, description, examples = [], args = {}, flags: own = {} }) {
  const named = Object.entries(args).flatMap(([name, arg]) => [
    '.TP',
    `\\fI${name.toUpperCase()}\\fR`,
    text(arg.description ?? ''),
  ])
  return [
    `.SS payctl ${dashed(usage ?? id.replaceAll(':', ' '))}`,
    text(sentence(summary)),
    ...(description ? ['.PP', text(description)] : []),
    ...(examples.length > 0 ? ['.PP', '.RS 4', '.nf', ...examples.map(text), '.fi', '.RE'] : []),
    ...named,
    ...flags(own),
  ]
}

function flags(own = {}) {
  return Object.entries(own).flatMap(([name, { char, type, summary = '', options, helpValue, hidden }]) => {
    if (hidden) return []
    const value =
      type === 'boolean'
        ? ''
        : ` \\fI${dashed(options ? 'one' : (helpValue ?? '<value>')).replace(/[<>]/g, '')}\\fR`
    const short = char ? `\\fB\\-${char}\\fR, ` : ''
    const choices = options ? `${summary === '' ? '' : '; '}one of ${options.join(', ')}` : ''
    return ['.TP', `${short}\\fB\\-\\-${dashed(name)}\\fR${value}`, text(`${summary}${choices}`)]
  })
}

function page(name, version, lines) {
  return `${[`.TH ${name.toUpperCase()} 1 "" "payctl ${version}" "payctl"`, '.nh', '.ad l', ...lines].join('\n')}\n`
}

/** Text for roff. Dots and quotes at the beginning of a line are escaped. */
function text(plain) {
  return dashed(plain ?? '').replace(/^[.']/gm, '\\&$&')
}

/** Text in which hyphens can be copied as typed, and backslashes and non-ASCII characters are escaped. */
function dashed(plain) {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\0-\x7f]/gu,
      (character) => `\\[u${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** Summary of a command in one line, without a dot at its end. */
function described(summary) {
  return (summary ?? '').replace(/\.$/, '').replace(/\s+/g, ' ')
}

function sentence(summary) {
  const whole = described(summary)
  return whole === '' ? '' : `${whole[0].toUpperCase()}${whole.slice(1)}.`
}
