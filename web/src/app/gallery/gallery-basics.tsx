import { ActionIcon, Button, SegmentedControl, Tabs } from '@mantine/core'
import { IconDots, IconDownload, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { StatusBadge, StatusDot } from '#ui/feedback/status.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import styles from './gallery.module.css'

const scale = (name: string) => Array.from({ length: 10 }, (_, step) => `--${name}-${step}`)
const scales: readonly [string, string[]][] = [
  ['Ink, light theme', scale('ink')],
  ['Night, dark theme', scale('night')],
  ['Teal, the accent', scale('teal')],
  [
    'Meaning and series',
    [
      '--green',
      '--amber',
      '--red',
      '--blue',
      '--orange',
      '--series-1',
      '--series-2',
      '--series-3',
      '--series-4',
      '--series-prev',
    ],
  ],
]
const sizes: readonly [string, string, CSSProperties][] = [
  ['24 / 32, 600', '46,216', { fontSize: 'var(--fs-24)', lineHeight: 'var(--lh-24)', fontWeight: 600 }],
  [
    '20 / 28, 600',
    'Business administration',
    { fontSize: 'var(--fs-20)', lineHeight: 'var(--lh-20)', fontWeight: 600 },
  ],
  ['16 / 24, 600', 'Scheduled Session', { fontSize: 'var(--fs-16)', lineHeight: 'var(--lh-16)', fontWeight: 600 }],
  ['14 / 22, 400', 'Messages, dialogs and other reading.', { fontSize: 'var(--fs-14)', lineHeight: 'var(--lh-14)' }],
  ['13 / 20, 400', 'Tables, lists and controls: the working size.', {}],
  ['12 / 16, 500', 'Labels, badges, table heads', { fontSize: 'var(--fs-12)', fontWeight: 500 }],
  ['11 / 16, 400', 'Axis ticks and key caps only', { fontSize: 'var(--fs-11)' }],
]

function Buttons() {
  return (
    <SectionCard title="Buttons" hasLine className={styles.half ?? ''}>
      <div className={styles.rows}>
        <div className={styles.row}>
          <span className={styles.label}>Primary</span>
          <Button>Send Response</Button>
          <Button disabled>Disabled</Button>
          <Button loading>Creating...</Button>
        </div>
        <div className={styles.row}>
          <span className={styles.label}>Secondary</span>
          <Button variant="default" leftSection={<Icon of={IconRefresh} />}>
            Refresh
          </Button>
          <Button variant="default" disabled>
            Disabled
          </Button>
          <Button variant="default" size="xs" leftSection={<Icon of={IconPlus} size={14} />}>
            Small
          </Button>
        </div>
        <div className={styles.row}>
          <span className={styles.label}>Quiet</span>
          <Button variant="subtle" color="gray">
            Cancel
          </Button>
          <ActionIcon aria-label="More">
            <Icon of={IconDots} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Export CSV">
            <Icon of={IconDownload} />
          </ActionIcon>
          <CopyButton text="SUP-4127" />
        </div>
        <div className={styles.row}>
          <span className={styles.label}>Destructive</span>
          <Button variant="default" c="red" leftSection={<Icon of={IconTrash} />}>
            Delete
          </Button>
          <Button color="red">Confirm</Button>
        </div>
        <div className={styles.row}>
          <span className={styles.label}>Large</span>
          <Button size="lg">Continue</Button>
        </div>
      </div>
    </SectionCard>
  )
}

function Marks() {
  return (
    <SectionCard title="Badges, status, keys, people" hasLine className={styles.half ?? ''}>
      <div className={styles.rows}>
        <div className={styles.row}>
          <StatusBadge meaning="green">Production</StatusBadge>
          <StatusBadge meaning="blue">Ready for Production</StatusBadge>
          <StatusBadge meaning="amber">Needs Lessons</StatusBadge>
          <StatusBadge>Needs Modules</StatusBadge>
          <StatusBadge meaning="red">Significant</StatusBadge>
          <StatusBadge meaning="teal" hasDot={false}>
            Riverside
          </StatusBadge>
        </div>
        <div className={styles.row}>
          <StatusDot meaning="amber">Open</StatusDot>
          <StatusDot meaning="blue">In Progress</StatusDot>
          <StatusDot>Closed</StatusDot>
          <StatusDot meaning="green">success</StatusDot>
          <StatusDot meaning="red">failure</StatusDot>
        </div>
        <div className={styles.row}>
          {['Mod K', '/', 'j', 'k', 'Mod Enter'].map((keys) => (
            <KeyCap key={keys} keys={keys} />
          ))}
          <Avatar name="Priya Raman" />
          <Avatar name="Dana Whitfield" isOnline />
          <Avatar name="Luis Moreno" size={32} />
          <Avatar name="Ø" size={20} />
        </div>
        <Tabs defaultValue="courses">
          <Tabs.List aria-label="Training">
            <Tabs.Tab value="courses">Courses</Tabs.Tab>
            <Tabs.Tab value="modules">Modules</Tabs.Tab>
            <Tabs.Tab value="analytics" disabled>
              Analytics
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="courses" pt="sm">
            Six courses.
          </Tabs.Panel>
          <Tabs.Panel value="modules" pt="sm">
            Twelve modules.
          </Tabs.Panel>
        </Tabs>
        <div className={styles.row}>
          <SegmentedControl aria-label="Timeframe" data={['Hour', 'Day', 'Week', 'Month']} defaultValue="Week" />
        </div>
      </div>
    </SectionCard>
  )
}

export function Basics() {
  return (
    <>
      <SectionCard title="Color" hasLine className={styles.half ?? ''}>
        <div className={styles.rows}>
          {scales.map(([title, tokens]) => (
            <div key={title} className={styles.rows}>
              <span className={styles.note}>{title}</span>
              <div className={styles.swatches}>
                {tokens.map((token) => (
                  <div key={token} className={styles.swatch} title={token} style={{ background: `var(${token})` }} />
                ))}
              </div>
            </div>
          ))}
        </div>
      </SectionCard>
      <SectionCard title="Type" hasLine className={styles.half ?? ''}>
        <div className={styles.type}>
          {sizes.flatMap(([size, sample, style]) => [
            <span key={size}>{size}</span>,
            <span key={sample} style={style}>
              {sample}
            </span>,
          ])}
        </div>
      </SectionCard>
      <Buttons />
      <Marks />
    </>
  )
}
