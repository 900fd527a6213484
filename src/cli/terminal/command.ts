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
import type { ApiResponse } from '../../engine/core/request/request.js'
import { systemClock } from '../../platform/clock.js'
import { shellWord } from '../../platform/shell-word.js'
import { millisecondsOf } from '../../schema/datetime.js'
import type { FlagDescription } from '../../schema/flags.js'
import type { JsonObject } from '../../schema/json.js'
import type { Resource } from '../../schema/resource.js'
import type { Client, ClientRequest, QueryPair } from './client/client.js'
import { type CollectSources, collectInput, type GivenFlags } from './collect.js'
import { finish } from './ctrl-c.js'
import { EXIT } from './failure/exit-codes.js'
import { Refusal, UsageError } from './failure/failure.js'
import { nameVariables } from './flag-variables.js'
import { allowsLoopback, LOOPBACK_GATEWAYS } from './gateway-loopback.js'
import { type Choices, formatOf, globalFlags, requestedOf } from './global-flags.js'
import { isObject } from './input/body.js'
import { fieldsQuery } from './input/query.js'
import type { Shape } from './input/shape.js'
import { StandardInput } from './input/stdin.js'
import { expectId } from './item-path.js'
import { confirmLive } from './live.js'
import { withNearestFlag } from './nearest-flag.js'
import { cleanSink } from './output/clean.js'
import { paint } from './output/colour.js'
import { lookOf } from './output/look.js'
import { pagedSink, pagerOf } from './output/pager.js'
import { render } from './output/render.js'
import { report } from './output/report.js'
import { type Sink, streamSink } from './output/sink.js'
import { guarded } from './profiles/guard.js'
import { homeOf, NO_PROFILE, type Settings, settingsOf, shownDatabase } from './profiles/settings.js'
import { loadProfiles } from './profiles/store.js'
import { after, type Prompts, promptsFor } from './prompts.js'

/** A request, and the shape of its answer. */
export interface Sending extends Omit<ClientRequest, 'dryRun' | 'idempotencyKey'> {
  readonly shape: Shape
}

type Output = OutputFlags<FlagInput>

/** What all commands share: most are a declaration and one call of `send`. */
export abstract class PayctlCommand extends Command {
  static override baseFlags = globalFlags

  protected readonly stdin = new StandardInput(() => process.stdin)

  /** Whether it uses the current profile. */
  protected readonly underProfile: boolean = true

  /** Whether answers are printed as they came, nested lists that are cut included. */
  protected readonly isRaw: boolean = false

  /** The attributes for which the command has flags. */
  protected descriptions: readonly FlagDescription[] = []
  private client: Promise<Client> | undefined
  private known: Settings | undefined
  private isAnnounced = false

  /** Sends a request and prints the answer. Throws a `Refusal` if that is an error. */
  protected async send(choices: Choices, { shape, ...request }: Sending): Promise<ApiResponse> {
    const response = await this.ask(choices, withChoices(request, choices))
    if (this.isRaw || response.headers['X-Truncated'] === undefined) {
      await this.print(choices, response.body, shape)
      return response
    }
    const [{ withRest }, { allOf }] = await Promise.all([import('./cut-lists.js'), import('./pages.js')])
    const { body, missing } = await withRest((rest) => allOf((one) => this.ask(choices, one), rest), response)
    await this.print(choices, body, shape)
    this.sayCut(missing)
    return { ...response, body }
  }

  /** Says which nested lists are not shown whole. */
  protected sayCut(missing: readonly string[]): void {
    if (missing.length === 0) return
    process.stderr.write(`Not shown whole: ${missing.join(', ')}; show id as well, or one object alone\n`)
  }

  /** Sends a request without its choices (dry run, idempotency key, fields). Throws a `Refusal` if the answer is an error. */
  protected async ask(choices: Choices, request: ClientRequest): Promise<ApiResponse> {
    await this.confirm(choices, request)
    const answer = this.receive(choices, request)
    const response = request.method === 'GET' ? await answer : await this.finished(choices, answer)
    if (response.status === 200) return response
    const { typedWording } = await import('./typed-wording.js')
    throw new Refusal(response, typedWording(request.path, this.descriptions, this.argv))
  }

  /**
   * The id that an argument names: the id itself, or the attribute by which people name such objects. Throws a `Refusal` if
   * the service does not answer.
   */
  protected async idOf(
    choices: Choices,
    { plural, prefix, reference }: Pick<Resource, 'plural' | 'prefix' | 'reference'>,
    given: string,
  ): Promise<string> {
    expectId(plural, given)
    if (reference === undefined || given.startsWith(prefix) || !/^[\w-]+$/.test(given)) return given
    const query: QueryPair[] = [
      [reference, given],
      ['fields', 'id'],
    ]
    const { body } = await this.ask(choices, { method: 'GET', path: `/${plural}`, query })
    const [found] = Array.isArray(body.values) ? body.values : []
    return isObject(found) ? String(found.id) : given
  }

  /** Throws unless a request may be sent: in live, what is dangerous is confirmed first. `what` says it in words. */
  protected async confirm(choices: Choices, request: ClientRequest, what?: string): Promise<void> {
    const read = (path: string, query?: readonly QueryPair[]) => this.look(choices, path, query)
    await confirmLive(request, choices, { prompts: this.prompts(choices), read, what })
  }

  /** An object or list as it is, if it can be read. */
  private async look(
    choices: Choices,
    path: string,
    query?: readonly QueryPair[],
  ): Promise<JsonObject | undefined> {
    const { status, body } = await this.receive(choices, { method: 'GET', path, ...(query && { query }) })
    return status === 200 ? body : undefined
  }

  /** Prompts, if there is somebody to be asked; in live the banner comes before the first question. */
  protected prompts(choices: Choices): Prompts | undefined {
    const prompts = promptsFor(choices['no-input'])
    return prompts && choices.env === 'live' ? after(() => this.announceLive(), prompts) : prompts
  }

  /** Prints the banner of live on stderr, once. */
  private announceLive(): void {
    if (this.isAnnounced) return
    this.isAnnounced = true
    process.stderr.write(`${banner(this.settings())}\n`)
  }

  /** Waits for the outcome of what was sent, even after Ctrl-C, and prints it before the command ends. */
  private async finished(choices: Choices, answer: Promise<ApiResponse>): Promise<ApiResponse> {
    const say = (text: string) => this.say(choices, text)
    const { value, interrupted } = await finish(answer, process, say)
    if (!interrupted) return value
    say('Interrupted after it was sent; this is what was done:')
    process.exitCode = EXIT.interrupted
    return value
  }

  /** Prints data on stdout. */
  protected async print(choices: Choices, body: JsonObject, shape: Shape): Promise<void> {
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

  /** Where data goes: stdout, through a pager if it is longer than the terminal. */
  protected screen(choices: Choices): Sink {
    const { stdout, env } = process
    if (!stdout.isTTY) return streamSink(stdout)
    const pager = choices['no-pager'] ? undefined : pagerOf(env)
    // What jq makes of the JSON are lines of any text, as CSV is.
    const format = choices.jq === undefined ? formatOf(choices) : 'csv'
    return cleanSink(pager ? pagedSink(stdout, pager) : streamSink(stdout), format)
  }

  /** Prints a message for people on stderr; nothing when the output is for a program. */
  protected say(choices: Choices, text: string): void {
    if (formatOf(choices) === 'table') process.stderr.write(`${text}\n`)
  }

  /** The settings from flags, variables and profile. Throws before the command line is parsed. */
  protected settings(): Settings {
    if (!this.known) throw new Error('The command line is not parsed yet')
    return this.known
  }

  /** The settings of a command that needs a database of this machine. Throws a `UsageError` if they name a server. */
  protected localSettings(): Settings {
    const { server, ...settings } = this.settings()
    if (!server) return settings
    const words = this.id?.replaceAll(':', ' ')
    throw new UsageError(
      `payctl ${words} works on a database of this machine, but ${server.from} names ${server.value}; add --profile ${NO_PROFILE} or unset PAYCTL_SERVER`,
    )
  }

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

  /** The environment's time. In test, its clock may have been moved; a key that may not see it gets the real time. */
  protected async now(choices: Choices): Promise<number> {
    if (choices.env === 'live') return systemClock.now()
    const { status, body } = await this.receive(choices, { method: 'GET', path: '/admin/clock' })
    return status === 200 ? millisecondsOf(String(body.now)) : systemClock.now()
  }

  /** The body of a request from flags and data; errors about it name these flags. Throws a `UsageError` for what is missing. */
  protected async collect(
    choices: Choices,
    descriptions: readonly FlagDescription[],
    given: GivenFlags,
    data: JsonObject = {},
  ): Promise<JsonObject> {
    this.descriptions = descriptions
    return await collectInput(descriptions, given, data, this.sources(choices))
  }

  /** Where values come from that are not flags. */
  protected sources(choices: Choices): CollectSources {
    const { stdin } = this
    return {
      now: () => this.now(choices),
      environment: choices.env,
      stdin,
      variables: process.env,
      warn: (text) => this.say(choices, text),
      prompts: this.prompts(choices),
    }
  }

  protected override async catch(error: Error): Promise<void> {
    const { flags, baseFlags } = this.ctor
    report(withNearestFlag(error, Object.keys({ ...flags, ...baseFlags })), this.argv)
  }

  /** A client that could not be opened cannot be closed; that error was reported already. */
  protected override async finally(thrown: Error | undefined): Promise<void> {
    try {
      const client = await this.client
      await client?.close()
    } catch (error) {
      if (error !== thrown) throw error
    }
  }

  private async receive(choices: Choices, request: ClientRequest): Promise<ApiResponse> {
    this.client ??= this.connect(choices)
    return await (await this.client).send(request)
  }

  private async connect(choices: Choices): Promise<Client> {
    const settings = this.settings()
    if (choices.env === 'live' && formatOf(choices) === 'table') this.announceLive()
    const client = await this.open(choices, settings)
    return guarded(client, settings.guard, settings.profile?.value ?? NO_PROFILE)
  }

  private async open(choices: Choices, settings: Settings): Promise<Client> {
    if (!settings.server) {
      const { localClient } = await import('./local-client.js')
      return await localClient(settings)
    }
    const { openRemoteClient, remoteOf } = await import('./remote/client.js')
    return await openRemoteClient({
      ...remoteOf(settings, process.env),
      say: (text) => this.say(choices, text),
    })
  }

  /** The flags that say which database or server this is, as they were typed, to be put behind another command. */
  protected async placeFlags(): Promise<string> {
    const { typedFlags } = await import('./continuation.js')
    const { profile, server, 'key-file': keyFile } = globalFlags
    return typedFlags(this.argv, { profile, server, 'key-file': keyFile }, new Set())
      .map((word) => ` ${shellWord(word)}`)
      .join('')
  }

  /** Whether a flag is on the command line, rather than from a variable. */
  protected isTyped(name: string): boolean {
    const end = this.argv.indexOf('--')
    const words = end === -1 ? this.argv : this.argv.slice(0, end)
    return words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  }
}

/** A shortened id may stand for several objects. */
function refuseShortened(text: unknown): void {
  if (typeof text === 'string' && /^[a-z]+_\u2026.{0,4}$/.test(text))
    throw new UsageError(`${text} is shortened, for the eye only; --columns id or -o csv shows ids whole`)
}

/** The server, or the home and its database, in words. */
export function placeOf(settings: Settings): string {
  const { home, server } = settings
  return server ? `server ${server.value}` : `home ${home.value}, database ${shownDatabase(settings).value}`
}

function withChoices(request: Omit<Sending, 'shape'>, choices: Choices): ClientRequest {
  const { 'dry-run': dryRun, 'idempotency-key': idempotencyKey } = choices
  return {
    ...request,
    query: [...(request.query ?? []), ...fieldsQuery(choices.fields ?? choices.columns)],
    ...(dryRun && { dryRun }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

function banner(settings: Settings): string {
  const { colour } = lookOf(process.stderr, process.env)
  const { profile } = settings
  const place = placeOf(settings)
  const loopback = allowsLoopback(process.env) ? `, ${LOOPBACK_GATEWAYS}` : ''
  return `${paint('LIVE', 'red', colour)} ${profile ? `profile ${profile.value}, ` : ''}${place}${loopback}`
}
