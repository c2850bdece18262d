export const AD_ENV = {
  META_AD_ACCOUNT_ID: '778899',
  META_PAGE_ID: '153125381133',
  META_PRIVACY_URL: 'https://limber.example/privacy',
  META_LINK_URL: 'https://limber.example/',
}

/**
 * `cut`: created, but the reply is lost. `drop`: the connection breaks before anything is created. `slow`: created, no
 * reply. `well`: no fault for this request.
 */
export type AdFault = 'well' | 'refuse' | 'limit' | 'busy' | 'cut' | 'drop' | 'slow' | 'token'
export type AdStep =
  | 'search'
  | 'campaigns'
  | 'adsets'
  | 'subscribed_apps'
  | 'leadgen_forms'
  | 'adimages'
  | 'advideos'
  | 'adcreatives'
  | 'ads'
  | 'change'

export interface AdObject {
  id: string
  kind: AdStep
  fields: Record<string, string>
}

type Form = URLSearchParams | FormData
type Answer = { status: number; body: unknown; headers?: Record<string, string> }

export interface TestAds {
  made: AdObject[]
  /** Each fault applies to one request of its step, in order. */
  faults: Map<AdStep, AdFault[]>
  /** Runs once during a step, before Meta replies. */
  meanwhile: Map<AdStep, () => Promise<unknown>>
  /** How many more requests find the video still processing. */
  processing: { rounds: number }
  /** The subscribed fields of the page. */
  announced: Set<string>
  of(kind: AdStep): AdObject[]
  answer(method: string, path: string, form: Form): Promise<Answer | 'hang up' | 'silence' | undefined>
}

const places = [
  { key: '2420379', name: 'Riverside', type: 'city', country_code: 'US' },
  { key: '2420380', name: 'Redlands', type: 'city', country_code: 'US' },
  { key: '815432', name: 'Riverside', type: 'city', country_code: 'CA' },
  { key: '3847', name: 'California', type: 'region', country_code: 'US' },
  { key: '9001', name: 'London', type: 'city', country_code: 'GB' },
]
const locales = [
  { key: 1001, name: 'English (All)' },
  { key: 1002, name: 'Spanish (All)' },
]
const interests = [{ id: '6003306084421', name: 'Stretching' }]
const objectives = ['OUTCOME_LEADS', 'OUTCOME_TRAFFIC', 'OUTCOME_SALES', 'OUTCOME_APP_PROMOTION']

const refusal = (words: string, code = 100): Answer => ({
  status: 400,
  body: {
    error: { message: 'Invalid parameter', type: 'OAuthException', code, error_user_msg: words, fbtrace_id: 'A1' },
  },
})

const textOf = (form: Form, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Errors that Meta would return; workers see these texts. */
function faultOf(kind: AdStep, form: Form): string | undefined {
  const text = (name: string) => textOf(form, name)
  if (kind === 'campaigns' && !objectives.includes(text('objective'))) return 'Objective is not available.'
  if (kind === 'campaigns' && text('special_ad_categories') === '') return 'A special ad category is required.'
  if (kind === 'adsets' && !/^[1-9]\d*$/.test(text('daily_budget'))) return 'The budget must be whole cents.'
  if (kind === 'adsets' && Number(text('daily_budget')) < 100) return 'Your budget is too low.'
  if (kind === 'adsets' && /"UK"/.test(text('targeting'))) return 'UK is not a country.'
  if (kind === 'adsets' && !/advantage_audience/.test(text('targeting'))) return 'Advantage audience must be set.'
  if (kind === 'leadgen_forms' && !/"url"/.test(text('privacy_policy'))) return 'A privacy policy is required.'
  if (kind === 'leadgen_forms' && /MULTIPLE_CHOICE|PHONE_NUMBER"/.test(text('questions'))) return 'Unknown type.'
  if (['campaigns', 'adsets', 'ads'].includes(kind) && text('status') !== 'PAUSED') return 'Create it paused.'
  return undefined
}

/** The ads part of the fake Graph API. */
export function makeTestAds(): TestAds {
  let last = 0
  const made: AdObject[] = []
  const faults = new Map<AdStep, AdFault[]>()
  const meanwhile: TestAds['meanwhile'] = new Map()
  const processing = { rounds: 0 }
  const announced = new Set<string>()
  const nextId = () => `1200${String(++last).padStart(14, '0')}`
  const of = (kind: AdStep) => made.filter((one) => one.kind === kind)

  function search(form: Form): Answer {
    const wanted = textOf(form, 'q').toLowerCase()
    const all: readonly object[] = { adlocale: locales, adinterest: interests }[textOf(form, 'type')] ?? places
    const type = /\["(\w+)"\]/.exec(textOf(form, 'location_types'))?.[1]
    const data = (all as { name: string; type?: string }[]).filter(
      (one) => one.name.toLowerCase().startsWith(wanted) && (!type || one.type === type),
    )
    return { status: 200, body: { data } }
  }

  function subscribe(method: string, form: Form): Answer {
    if (method === 'GET') return { status: 200, body: { data: [{ id: '1', subscribed_fields: [...announced] }] } }
    for (const field of textOf(form, 'subscribed_fields').split(',')) announced.add(field)
    return { status: 200, body: { success: true } }
  }

  function takeFilm(form: Form): Answer {
    const session = textOf(form, 'upload_session_id')
    const phase = textOf(form, 'upload_phase')
    if (phase === 'start') {
      const id = nextId()
      made.push({ id, kind: 'advideos', fields: { size: textOf(form, 'file_size'), got: '0' } })
      const end_offset = String(Math.min(600, Number(textOf(form, 'file_size'))))
      return { status: 200, body: { upload_session_id: `s${id}`, video_id: id, start_offset: '0', end_offset } }
    }
    const upload = made.find(({ id }) => `s${id}` === session)
    if (!upload) return refusal('No such upload.')
    if (phase === 'finish') return { status: 200, body: { success: upload.fields.got === upload.fields.size } }
    const chunk = form.get('video_file_chunk')
    const got = Number(textOf(form, 'start_offset')) + (chunk instanceof Blob ? chunk.size : 0)
    upload.fields.got = String(got)
    const end_offset = String(Math.min(got + 600, Number(upload.fields.size)))
    return { status: 200, body: { start_offset: String(got), end_offset } }
  }

  function make(kind: AdStep, form: Form): Answer {
    const fault = faultOf(kind, form)
    if (fault) return refusal(fault)
    if (kind === 'adimages') return { status: 200, body: { images: { picture: { hash: 'a1b2c3', url: '' } } } }
    const id = nextId()
    const fields = Object.fromEntries([...form.entries()].map(([name, value]) => [name, String(value)]))
    made.push({ id, kind, fields })
    return { status: 200, body: { id } }
  }

  function carryOut(method: string, kind: AdStep, path: string, form: Form): Answer | undefined {
    if (kind === 'search') return search(form)
    if (kind === 'subscribed_apps') return subscribe(method, form)
    if (kind === 'advideos') return takeFilm(form)
    if (kind !== 'change' && method === 'POST') return make(kind, form)
    if (kind !== 'change') {
      const mark = /"value":"([^"]+)"/.exec(textOf(form, 'filtering'))?.[1] ?? ''
      const data = of(kind).filter(({ fields }) => fields.name?.includes(mark))
      return { status: 200, body: { data: data.map(({ id, fields }) => ({ id, name: fields.name })) } }
    }
    const one = made.find(({ id }) => id === path)
    if (!one) return undefined
    if (method === 'GET' && processing.rounds > 0) {
      processing.rounds -= 1
      return { status: 200, body: { status: { video_status: 'processing' } } }
    }
    if (method === 'GET')
      return { status: 200, body: { picture: 'https://cdn.example/p.jpg', status: { video_status: 'ready' } } }
    for (const [name, value] of form.entries()) one.fields[name] = String(value)
    return { status: 200, body: { success: true } }
  }

  async function answer(method: string, path: string, form: Form): ReturnType<TestAds['answer']> {
    const edge = path.split('/').at(-1) ?? ''
    const isEdge = /^(search|campaigns|adsets|subscribed_apps|leadgen_forms|adimages|advideos|adcreatives|ads)$/.test(
      edge,
    )
    const isOurs = isEdge || made.some(({ id }) => id === path)
    if (!isOurs) return undefined
    const kind = (isEdge ? edge : 'change') as AdStep
    const happening = meanwhile.get(kind)
    meanwhile.delete(kind)
    await happening?.()
    const isCounted = kind === 'search' || method === 'POST'
    const fault = isCounted ? faults.get(kind)?.shift() : undefined
    if (fault === 'drop') return 'hang up'
    if (fault === 'refuse') return refusal('Your ad account is not allowed to do this.')
    if (fault === 'token')
      return { status: 401, body: { error: { code: 190, message: 'The access token has expired.' } } }
    if (fault === 'busy')
      return { status: 500, body: { error: { code: 2, message: 'Service is busy', is_transient: true } } }
    if (fault === 'limit') {
      const usage = { 1: [{ type: 'ads_management', call_count: 100, estimated_time_to_regain_access: 7 }] }
      return {
        status: 400,
        body: { error: { code: 80_004, message: 'There have been too many calls to this ad-account.' } },
        headers: { 'x-business-use-case-usage': JSON.stringify(usage) },
      }
    }
    const reply = carryOut(method, kind, path, form)
    if (fault === 'cut') return 'hang up'
    return fault === 'slow' ? 'silence' : reply
  }

  return { made, faults, meanwhile, processing, announced, of, answer }
}
