import { setCompanyTime } from '@limber/contract/kit/company-time.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../security/secrets.ts'
import { type CompanyRow, findCompany, findMailServer } from './company.queries.ts'
import { connectionOf, type MailConnection, type Sender, senderOf } from './mail-connection.ts'

/** The company as this process knows it. Every process reloads it when it changes. */
export interface CompanySettings {
  /** Its name on screens and in emails; empty until someone fills it in. */
  name: string
  legalName: string
  /** On one line; from the deprecated `COMPANY_ADDRESS` until someone fills it in. */
  postalAddress: string
  phone: string
  /** Longitude and latitude of its postal code. */
  mapStart: { longitude: number; latitude: number } | null
  timeZone: string
  weekStartsOn: CompanyRow['week_starts_on']
  state: string
  /** Where replies go; empty for the sender itself. */
  replyTo: string
  /** The path of the logo. */
  logo: string | null
  sender: Sender
  /** Undefined while no mail server is set up. */
  mail: MailConnection | undefined
}

export const logoPath = (name: string) => `/api/company/logo/${name}`

/** `1 Main St, Riverside, CA 92501`. */
export const addressLine = ({
  address_line,
  city,
  state,
  postal_code,
}: Pick<CompanyRow, 'address_line' | 'city' | 'state' | 'postal_code'>) =>
  [address_line, city, [state, postal_code].filter(Boolean).join(' ')].filter(Boolean).join(', ')

type Needs = {
  db: Db
  keyring: Keyring
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'companyAddress' | 'sendsNothing'>
}

export async function readCompanySettings({ db, keyring, config }: Needs): Promise<CompanySettings> {
  const [company, server] = await Promise.all([findCompany(db), findMailServer(db)])
  return {
    name: company.name,
    legalName: company.legal_name,
    postalAddress: addressLine(company) || config.companyAddress,
    phone: company.phone,
    mapStart:
      company.longitude === null || company.latitude === null
        ? null
        : { longitude: company.longitude, latitude: company.latitude },
    timeZone: company.time_zone,
    weekStartsOn: company.week_starts_on,
    state: company.state,
    replyTo: company.reply_to,
    logo: company.logo && logoPath(company.logo),
    sender: senderOf(config.mailFrom, company, server),
    mail: connectionOf(config, server, keyring),
  }
}

export interface CompanyWatch {
  current(): CompanySettings
  /** Reads the settings again and tells those who follow them. */
  reload(): Promise<void>
  onChange(run: () => unknown): void
}

/** Keeps the settings of the company in memory. Loaded before the first use. */
export function watchCompany(needs: Needs): CompanyWatch {
  let settings: CompanySettings | undefined
  const followers: (() => unknown)[] = []
  return {
    current() {
      if (!settings) throw new Error('The settings of the company are not loaded yet')
      return settings
    },
    async reload() {
      settings = await readCompanySettings(needs)
      setCompanyTime(settings)
      for (const follow of followers) await follow()
    },
    onChange: (run) => followers.push(run),
  }
}
