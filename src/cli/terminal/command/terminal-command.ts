import process from 'node:process'
import { Command } from '@oclif/core/command'
import type {
  ArgInput,
  FlagInput,
  Input,
  OutputArgs,
  OutputFlags,
  ParserOutput,
} from '@oclif/core/interfaces'
import { shellWord } from '../../../platform/shell-word.js'
import type { JsonObject } from '../../../schema/json.js'
import { UsageError } from '../failure/failure.js'
import type { AnswerSchema } from '../input/shape.js'
import { StandardInput } from '../input/stdin.js'
import { allowsLoopback, LOOPBACK_GATEWAYS } from '../local/gateway-loopback.js'
import type { LocalRights } from '../local/local-rights.js'
import { report } from '../output/answer-report.js'
import { cleanLines, cleanSink } from '../output/clean.js'
import { paint } from '../output/colour.js'
import { lookOf } from '../output/look.js'
import { pagedSink, pagerOf } from '../output/pager.js'
import { render, valuesOf } from '../output/render.js'
import { type Sink, streamSink } from '../output/sink.js'
import type { Profiles } from '../profiles/profile.js'
import { loadProfiles } from '../profiles/profile-store.js'
import { homeOf, NO_PROFILE, type Settings, settingsOf, shownDatabase } from '../profiles/settings.js'
import { after, type Prompts, promptsFor } from '../prompts/prompts.js'
import { nearest } from '../suggestions/nearest.js'
import { nameVariables, namingVariables } from './flag-variables.js'
import { type Choices, formatOf, globalFlags, requestedOf } from './global-flags.js'
import { withMarkedValues } from './marked-values.js'
import { lacksArgument, whichArgument } from './missing-arguments.js'

type Output = OutputFlags<FlagInput>

/** Base of all commands: parses the command line, determines the settings, and prints the output. */
export abstract class TerminalCommand extends Command {
  static override baseFlags = globalFlags

  protected readonly stdin = new StandardInput(() => process.stdin)

  /** Whether the command uses the current profile. */
  protected readonly underProfile: boolean = true

  /** Whether a request that changes data was answered. */
  protected hasWritten = false

  /** Whether a request that changes data was a dry run. */
  protected isDry = false

  /** Values of the arguments; empty until the command line is parsed. */
  protected args: readonly unknown[] = []

  private known: Settings | undefined
  private isAnnounced = false

  /** Parses the command line and determines the settings, including the environment. */
  protected override async parse<F extends Output, B extends Output, A extends OutputArgs<ArgInput>>(
    options?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const { flags: own = {}, baseFlags: base = {} } = options ?? {}
    const all = { ...own, ...base }
    nameVariables(this.id ?? '', all, process.env)
    const parsed = await this.parseWords(options, argv ?? this.argv, all)
    const { flags } = parsed
    this.args = Object.values(parsed.args)
    if (flags.jq !== undefined) {
      const { expectExpression } = await import('../output/jq.js')
      await expectExpression(flags.jq)
    }
    const given = <T>(name: string, value: T) => (this.isTyped(name) ? value : undefined)
    this.known = await settingsOf(
      {
        environment: given('env', flags.env),
        profile: this.underProfile ? given('profile', flags.profile) : NO_PROFILE,
        server: given('server', flags.server),
        keyFile: given('key-file', flags['key-file']),
        stdin: this.stdin,
      },
      process.env,
      this.underProfile ? this.savedProfiles(homeOf(process.env).value) : { profiles: {} },
    )
    return { ...parsed, flags: { ...flags, env: this.known.environment.value } }
  }

  /** Parses the words with oclif. Throws an error that names the variable of a flag that was not typed. */
  private async parseWords<F extends Output, B extends Output, A extends OutputArgs<ArgInput>>(
    options: Input<F, B, A> | undefined,
    argv: readonly string[],
    flags: FlagInput,
  ): Promise<ParserOutput<F, B, A>> {
    const { words, changed } = withMarkedValues(argv, flags)
    const { args, flags: own, baseFlags: base } = options ?? {}
    const input = options && {
      ...options,
      ...(args && { args: Object.assign({}, args, withoutStdin(args)) }),
      ...(own && { flags: Object.assign({}, own, changed) }),
      ...(base && { baseFlags: Object.assign({}, base, changed) }),
    }
    try {
      return await super.parse<F, B, A>(input, words)
    } catch (error) {
      throw namingVariables(error, { id: this.id ?? '', flags, isTyped: (name) => this.isTyped(name) })
    }
  }

  /** The profiles of a home. Throws a `UsageError` for a damaged file. */
  protected savedProfiles(home: string): Profiles {
    return loadProfiles(home)
  }

  /** Settings from flags, variables and profile. Throws an error if the command line is not parsed yet. */
  protected settings(): Settings {
    if (!this.known) throw new Error('The command line is not parsed yet')
    return this.known
  }

  /**
   * Settings of a command that needs a database of this machine. Throws a `UsageError` if they name a server, and a
   * `Refusal` for a login without the rights.
   */
  protected async localSettings(rights: LocalRights): Promise<Settings> {
    const { server, ...settings } = this.settings()
    const words = this.id?.replaceAll(':', ' ') ?? ''
    if (!server) {
      if (rights !== 'anybody') {
        const { expectRole } = await import('../local/local-rights.js')
        await expectRole(words, settings, rights)
      }
      return settings
    }
    throw new UsageError(
      `payctl ${words} works on a database of this machine, but ${server.from} names ${server.value}; add --profile ${NO_PROFILE} or unset PAYCTL_SERVER`,
    )
  }

  /** Whether a flag is on the command line, rather than from a variable. */
  protected isTyped(name: string): boolean {
    const end = this.argv.indexOf('--')
    const words = end === -1 ? this.argv : this.argv.slice(0, end)
    return words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  }

  /** Typed flags that select the database or server, as text to append to another command. */
  protected async placeFlags(): Promise<string> {
    const { typedFlags } = await import('./continuation.js')
    const { profile, server, 'key-file': keyFile } = globalFlags
    return typedFlags(this.argv, { profile, server, 'key-file': keyFile }, new Set())
      .map((word) => ` ${shellWord(word)}`)
      .join('')
  }

  /** Prompts, if there is a terminal; in the live environment, the banner precedes the first prompt. */
  protected prompts(choices: Choices): Prompts | undefined {
    const prompts = promptsFor(choices['no-input'])
    return prompts && choices.env === 'live' ? after(() => this.announceLive(), prompts) : prompts
  }

  /** Prints the banner of the live environment on stderr, once. */
  protected announceLive(): void {
    if (this.isAnnounced) return
    this.isAnnounced = true
    process.stderr.write(`${banner(this.settings())}\n`)
  }

  /** Prints data on stdout. A terminal shows datetimes in `zone`, by default the machine's, unless UTC is set. */
  protected async print(
    choices: Choices,
    body: JsonObject,
    shape: AnswerSchema,
    zone?: string,
  ): Promise<void> {
    const look = { ...(zone !== undefined && { zone }), ...lookOf(process.stdout, process.env) }
    const text = await render(body, {
      format: formatOf(choices),
      shape,
      look,
      requested: requestedOf(choices),
      jq: choices.jq,
      csv: { isSafe: choices['safe-csv'] },
    })
    const mark =
      this.isDry && formatOf(choices) === 'table' ? `${paint(DRY_RUN, 'yellow', look.colour)}\n\n` : ''
    const isPaged = valuesOf(body) !== undefined && !this.hasWritten
    await this.writeTo(this.screen(choices, isPaged), mark + text)
    if (text === '') this.say(choices, 'Nothing found.')
  }

  /** Prints a text on stdout. */
  protected async write(choices: Choices, text: string): Promise<void> {
    await this.writeTo(this.screen(choices, false), text)
  }

  /** Prints a page of help on stdout, through a pager if it is long. */
  protected async page(choices: Choices, text: string): Promise<void> {
    await this.writeTo(this.screen(choices, true), text)
  }

  private async writeTo(sink: Sink, text: string): Promise<void> {
    await sink.write(text)
    await sink.close(true)
  }

  /** Sink for data: stdout, through a pager if `isPaged` and the data are longer than the terminal. */
  protected screen(choices: Choices, isPaged: boolean): Sink {
    const { stdout, env } = process
    if (!stdout.isTTY) return streamSink(stdout)
    const pager = !isPaged || choices['no-pager'] ? undefined : pagerOf(env)
    // Results of jq are lines of any text, so they are cleaned like CSV.
    const format = choices.jq === undefined ? formatOf(choices) : 'csv'
    return cleanSink(pager ? pagedSink(stdout, pager) : streamSink(stdout), format)
  }

  /** Prints a message for people on stderr, unless the output is for a program. */
  protected say(choices: Choices, text: string): void {
    if (formatOf(choices) === 'table') process.stderr.write(`${cleanLines(text)}\n`)
  }

  protected override async catch(error: Error): Promise<void> {
    const { flags, baseFlags } = this.ctor
    if (lacksArgument(error))
      return report(new UsageError(whichArgument(this.ctor, this.id ?? '', error)), this.argv)
    report(withNearestFlag(error, Object.keys({ ...flags, ...baseFlags })), this.argv)
  }
}

/** Notice of a dry run, on stderr and above a table. */
export const DRY_RUN = 'Dry run: nothing was done.'

/** Adds the nearest flag to an error about an unknown flag; returns other errors as they are. */
function withNearestFlag(error: Error, names: readonly string[]): Error {
  const wrong = /^Nonexistent flag: (--[^\s=,]+)/.exec(error.message)?.[1]
  const meant =
    wrong === undefined
      ? undefined
      : nearest(
          wrong,
          names.map((name) => `--${name}`),
        )
  return meant === undefined ? error : new UsageError(`Nonexistent flag: ${wrong}; did you mean ${meant}?`)
}

/** The server, or the home and its database, in words. */
export function placeOf(settings: Settings): string {
  const { home, server } = settings
  return server ? `server ${server.value}` : `home ${home.value}, database ${shownDatabase(settings).value}`
}

function banner(settings: Settings): string {
  const { colour } = lookOf(process.stderr, process.env)
  const { profile } = settings
  const place = placeOf(settings)
  const loopback = allowsLoopback(process.env) ? `, ${LOOPBACK_GATEWAYS}` : ''
  return `${paint('LIVE', 'red', colour)} ${profile ? `profile ${profile.value}, ` : ''}${place}${loopback}`
}

/**
 * Arguments that are not read from standard input when they are omitted, because standard input may belong to a
 * script's loop.
 */
function withoutStdin(args: ArgInput): ArgInput {
  return Object.fromEntries(
    Object.entries(args).map(([name, declared]) => [name, { ...declared, ignoreStdin: true }]),
  )
}
