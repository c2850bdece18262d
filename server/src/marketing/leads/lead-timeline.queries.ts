import { type LeadSource, leadSourceLabels } from '@limber/contract/marketing/leads/lead.ts'
import { sql } from 'kysely'
import { type TimelineSource, timelineSource } from '#platform/timeline.ts'

const shared = { group: 'referrals', title: 'Leads', needs: [['growth.tab']] } as const

/** The leads that became a customer, with their notes. */
export const leadSources: readonly TimelineSource[] = [
  timelineSource<{ id: number; source: LeadSource; campaign: string | null }>({
    ...{ ...shared, kind: 'lead' },
    rows: (
      customer,
    ) => sql`select l.created_at as at, l.id, 'lead first contact ' || replace(l.source, '_', ' ') || ' ' || coalesce(c.name, '') as words,
        jsonb_build_object('id', l.id, 'source', l.source, 'campaign', c.name) as data
      from leads l left join campaigns c on c.id = l.campaign_id where l.customer_id = ${customer}`,
    present: ({ id, source, campaign }) => ({
      title: 'Became a lead:',
      text: [leadSourceLabels[source], campaign && `campaign ${campaign}`].filter(Boolean).join(', '),
      link: { to: 'lead', id },
    }),
  }),
  timelineSource<{ id: number; by: string | null }>({
    ...{ ...shared, kind: 'lead_converted' },
    rows: (customer) => sql`select l.converted_at as at, l.id, 'lead converted' as words,
        jsonb_build_object('id', l.id, 'by', (select w.name from lead_steps s join workers w on w.id = s.worker_id
          where s.lead_id = l.id and s.status = 'converted' order by s.id desc limit 1)) as data
      from leads l where l.customer_id = ${customer} and l.converted_at is not null`,
    present: ({ id, by }) => ({
      title: 'Lead converted',
      text: by ? `by ${by}` : '',
      tone: 'teal',
      link: { to: 'lead', id },
    }),
  }),
  timelineSource<{ id: number; by: string; content: string }>({
    ...{ ...shared, group: 'notes', kind: 'lead_note' },
    rows: (customer) => sql`select n.created_at as at, n.id, 'note lead ' || w.name || ' ' || n.content as words,
        jsonb_build_object('id', l.id, 'by', w.name, 'content', n.content) as data
      from leads l join lead_notes n on n.lead_id = l.id join workers w on w.id = n.worker_id where l.customer_id = ${customer}`,
    present: ({ id, by, content }) => ({
      title: `Note by ${by}`,
      text: 'on the lead',
      quote: content,
      link: { to: 'lead', id },
    }),
  }),
]
