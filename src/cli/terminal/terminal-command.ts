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
import { shellWord } from '../../platform/shell-word.js'
import type { JsonObject } from '../../schema/json.js'
import { UsageError } from './failure/failure.js'
import { nameVariables } from './flag-variables.js'
import { allowsLoopback, LOOPBACK_GATEWAYS } from './gateway-loopback.js'
import { type Choices, formatOf, globalFlags, requestedOf } from './global-flags.js'
import type { AnswerSchema } from './input/shape.js'
import { StandardInput } from './input/stdin.js'
import { lacksArgument, whichArgument } from './missing-arguments.js'
import { nearest } from './nearest.js'
import { report } from './output/answer-report.js'
import { cleanLines, cleanSink } from './output/clean.js'
import { paint } from './output/colour.js'
import { lookOf } from './output/look.js'
import { pagedSink, pagerOf } from './output/pager.js'
import { render } from './output/render.js'
import { type Sink, streamSink } from './output/sink.js'
import { loadProfiles } from './profiles/profile-store.js'
import { homeOf, NO_PROFILE, type Settings, settingsOf, shownDatabase } from './profiles/settings.js'
import { after, type Prompts, promptsFor } from './prompts.js'

type Output = OutputFlags<FlagInput>

/** Base of all commands: the command line with the settings that follow from it, and the output. */
export abstract class TerminalCommand extends Command {
  static override baseFlags = globalFlags

  protected readonly stdin = new StandardInput(() => process.stdin)

  /** Whether the command uses the current profile. */
  protected readonly underProfile: boolean = true

  private known: Settings | undefined
  private isAnnounced = false

  /** The parsed command line, with the environment that follows from all settings. */
  protected override async parse<F extends Output, B extends Output, A extends OutputArgs<ArgInput>>(
    options?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const { flags: own = {}, baseFlags: base = {} } = options ?? {}
    nameVariables(this.id ?? '', { ...own, ...base }, process.env)
    const parsed = await super.parse(options, argv)
    const { args, flags } = parsed
    for (const text of Object.values(args)) refuseShortened(text)
    if (flags.jq !== undefined) {
      const { expectExpression } = await import('./output/jq.js')
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
      this.underProfile ? loadProfiles(homeOf(process.env).value) : { profiles: {} },
    )
    return { ...parsed, flags: { ...flags, env: this.known.environment.value } }
  }

  /** Settings from flags, variables and profile. Throws before the command line is parsed. */
  protected settings(): Settings {
    if (!this.known) throw new Error('The command line is not parsed yet')
    return this.known
  }

  /** Settings of a command that needs a database of this machine. Throws a `UsageError` if they name a server. */
  protected localSettings(): Settings {
    const { server, ...settings } = this.settings()
    if (!server) return settings
    const words = this.id?.replaceAll(':', ' ')
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

  /** Typed flags for the database or server, to be appended to another command. */
  protected async placeFlags(): Promise<string> {
    const { typedFlags } = await import('./continuation.js')
    const { profile, server, 'key-file': keyFile } = globalFlags
    return typedFlags(this.argv, { profile, server, 'key-file': keyFile }, new Set())
      .map((word) => ` ${shellWord(word)}`)
      .join('')
  }

  /** Prompts, if there is a terminal; in live, the banner precedes the first prompt. */
  protected prompts(choices: Choices): Prompts | undefined {
    const prompts = promptsFor(choices['no-input'])
    return prompts && choices.env === 'live' ? after(() => this.announceLive(), prompts) : prompts
  }

  /** Prints the banner of live on stderr, once. */
  protected announceLive(): void {
    if (this.isAnnounced) return
    this.isAnnounced = true
    process.stderr.write(`${banner(this.settings())}\n`)
  }

  /** Prints data on stdout. */
  protected async print(choices: Choices, body: JsonObject, shape: AnswerSchema): Promise<void> {
    const look = lookOf(process.stdout, process.env)
    const text = await render(body, {
      format: formatOf(choices),
      shape,
      look,
      requested: requestedOf(choices),
      jq: choices.jq,
      isSafe: choices['safe-csv'],
    })
    await this.write(choices, text)
    if (text === '') this.say(choices, 'Nothing found.')
  }

  /** Prints a text on stdout, through a pager if it is long. */
  protected async write(choices: Choices, text: string): Promise<void> {
    const sink = this.screen(choices)
    await sink.write(text)
    await sink.close(true)
  }

  /** Sink for data: stdout, through a pager if the data are longer than the terminal. */
  protected screen(choices: Choices): Sink {
    const { stdout, env } = process
    if (!stdout.isTTY) return streamSink(stdout)
    const pager = choices['no-pager'] ? undefined : pagerOf(env)
    // Results of jq are lines of any text, and are cleaned like CSV.
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
      return report(new UsageError(whichArgument(this.ctor, this.id ?? '')), this.argv)
    report(withNearestFlag(error, Object.keys({ ...flags, ...baseFlags })), this.argv)
  }
}

/** Throws for a shortened id, which may stand for several objects. */
function refuseShortened(text: unknown): void {
  if (typeof text === 'string' && /^[a-z]+_\u2026.{0,4}$/.test(text))
    throw new UsageError(`${text} is shortened, for the eye only; --columns id or -o csv shows ids whole`)
}

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
