// Written by `npm run db:types` from the migrations. Do not edit.
import type { Generated } from 'kysely'
import type { Fixed, Json } from './column-types.ts'

/** The columns that hold JSON; column-types.ts says what. */
export type JsonName =
  | 'audit_log.before'
  | 'audit_log.after'
  | 'audit_values.before'
  | 'audit_values.after'
  | 'backups.summary'
  | 'backups.progress'
  | 'campaign_marks.figures'
  | 'campaign_marks.control'
  | 'campaign_places.expected'
  | 'campaign_pushes.upload'
  | 'campaign_pushes.told'
  | 'campaigns.target_audience'
  | 'campaigns.goals'
  | 'campaigns.custom_questions'
  | 'city_task_marks.figures'
  | 'city_tasks.figures'
  | 'customers.corrected_at'
  | 'growth_places.payouts'
  | 'health_states.facts'
  | 'import_maps.columns'
  | 'import_rows.before'
  | 'import_rows.changes'
  | 'imports.profile'
  | 'imports.columns'
  | 'imports.counts'
  | 'imports.reasons'
  | 'inbound_events.fields'
  | 'installation.value'
  | 'kept_counts.counts'
  | 'leads.answers'
  | 'leads.corrected_at'
  | 'notifications.audience'
  | 'payroll_checks.result'
  | 'promise_settings.week'
  | 'promise_settings.holidays'
  | 'promise_settings.targets'
  | 'saved_replies.actions'
  | 'schedule_runs.result'
  | 'sign_in_attempts.pending_passkey'
  | 'signing_keys.public_jwk'
  | 'training_attempts.questions'
  | 'training_attempts.answers'
  | 'training_attempts.results'
  | 'training_courses.theme'
  | 'training_lessons.content'
  | 'training_lessons.kept_components'
  | 'webhook_deliveries.attempts'
  | 'zones.geometry'

/** All tables, as the migrations leave them. */
export interface Tables {
  absences: {
    id: Fixed<number>
    worker_id: number
    starts_on: string
    ends_on: string
    substitute_id: number | null
    hands_over: boolean
    handed_over_at: Date | null
    created_by: number
    created_at: Date
  }
  api_key_secrets: {
    id: Fixed<number>
    api_key_id: number
    hash: Buffer
    created_by: number | null
    created_at: Date
    expires_at: Date | null
  }
  api_key_usage: {
    api_key_id: number
    day: string
    calls: number
    errors: number
  }
  api_keys: {
    id: Fixed<number>
    public_id: string
    name: string
    source: string
    scopes: string[]
    expires_at: Date | null
    networks: Generated<string[]>
    requests_per_minute: number
    created_by: number | null
    created_at: Date
    revoked_by: number | null
    revoked_at: Date | null
    last_used_at: Date | null
    last_used_address: string | null
    version: Generated<number>
  }
  audit_chain: {
    seq: number
    audit_id: number
    tx: string
    hash: Buffer
    at: Generated<Date>
  }
  audit_log: {
    id: Fixed<number>
    tx: Generated<string>
    at: Date
    worker_id: number | null
    worker_name: string | null
    call: string
    action: string
    outcome: 'done' | 'refused'
    subject: string | null
    subject_id: string | null
    before: Json<'audit_log.before', null>
    after: Json<'audit_log.after', null>
    reason: string | null
    address: string | null
    request_id: string | null
  }
  audit_values: {
    audit_id: number
    subject: string
    subject_id: string
    before: Json<'audit_values.before'>
    after: Json<'audit_values.after'>
  }
  backup_files: {
    key: string
    size: number
    changed_at: Date
    sha256: string
  }
  backup_key_copies: {
    key_id: string
    confirmed_by: number
    confirmed_at: Date
  }
  backups: {
    id: Fixed<number>
    kind: 'nightly' | 'manual' | 'command' | 'adopted'
    state: Generated<'waiting' | 'copying' | 'checking' | 'verified' | 'unverified' | 'failed'>
    worker_id: number | null
    created_at: Date
    started_at: Date | null
    taken_at: Date | null
    ended_at: Date | null
    beat_at: Date
    tries: Generated<number>
    file: string | null
    size: number | null
    key_id: string | null
    tables: number | null
    rows: number | null
    files: number | null
    summary: Json<'backups.summary', null>
    progress: Json<'backups.progress', null>
    verified_at: Date | null
    error: string | null
  }
  block_entries: {
    id: Fixed<number>
    business_id: number
    block_id: number
    kind: 'granted' | 'withdrawn' | 'scheduled' | 'moved' | 'reassigned' | 'returned'
    hours: number
    slots: number
    label: string
    session_id: number | null
    worker_id: number | null
    reason: string | null
    created_at: Date
  }
  bookings: {
    id: Fixed<number>
    customer_id: number
    stretcher_id: number | null
    zone_id: number
    starts_at: Date
    ends_at: Date
    status: Generated<'requested' | 'confirmed' | 'in_progress' | 'completed' | 'cancelled' | 'no_show'>
    price: string
    credits_used: Generated<number>
    rating: number | null
    rated_at: Date | null
    feedback: string | null
    feedback_at: Date | null
    cancelled_at: Date | null
    cancel_reason: string | null
    created_at: Date
    version: Generated<number>
    rating_attributes: Generated<string[]>
    makes_wages: Generated<boolean>
  }
  business_emails: {
    id: Fixed<number>
    business_id: number
    email: string
    version: Generated<number>
    created_at: Date
  }
  business_notes: {
    id: Fixed<number>
    business_id: number
    worker_id: number | null
    stage: 'contacted' | 'pending' | 'active' | 'ended' | null
    note: string
    created_at: Date
  }
  businesses: {
    id: Fixed<number>
    name: string
    custom_path: string
    admin_email: string
    rep_name: string | null
    location: string | null
    zone_id: number
    kind: Generated<'business' | 'school'>
    stage: Generated<'contacted' | 'pending' | 'active' | 'ended'>
    pilot_ends_on: string | null
    renews_on: string | null
    ended_reason: string | null
    times_contacted: Generated<number>
    last_contact_at: Date | null
    archived_at: Date | null
    version: Generated<number>
    created_at: Date
    search_text: Fixed<string>
  }
  calendar_feeds: {
    id: Fixed<number>
    business_id: number | null
    stretcher_id: number | null
    token_hash: Buffer
    created_by: number
    created_at: Date
    last_used_at: Date | null
    revoked_at: Date | null
    revoked_by: number | null
  }
  campaign_marks: {
    campaign_id: number
    after_days: number
    day: string
    figures: Json<'campaign_marks.figures'>
    control: Json<'campaign_marks.control', null>
  }
  campaign_media: {
    name: string
    campaign_id: number
    position: number
    filename: string
    mime_type: 'image/jpeg' | 'image/png' | 'video/mp4'
    bytes: number
    created_at: Date
  }
  campaign_members: {
    campaign_id: number
    worker_id: number
    assigned_by: number | null
    assigned_at: Date
  }
  campaign_places: {
    campaign_id: number
    city_name: string
    city_key: Fixed<string | null>
    expected: Json<'campaign_places.expected'>
    controls: number[] | null
  }
  campaign_pushes: {
    campaign_id: number
    state: Generated<'waiting' | 'retrying' | 'failed' | 'done'>
    step: string | null
    error: string | null
    begun: string | null
    mark: string
    adset_id: string | null
    form_id: string | null
    image_hash: string | null
    video_id: string | null
    upload: Json<'campaign_pushes.upload', null>
    creative_id: string | null
    ad_id: string | null
    told: Json<'campaign_pushes.told', null>
    rounds: Generated<number>
    lease: string | null
    leased_until: Date | null
    updated_at: Date
  }
  campaigns: {
    id: Fixed<number>
    name: string
    status: Generated<'active' | 'paused' | 'completed'>
    source: 'facebook_lead_ad' | 'email' | 'google_ads' | 'manual'
    budget: string | null
    start_date: string
    end_date: string | null
    ad_message: string | null
    target_audience: Json<'campaigns.target_audience', undefined>
    goals: Json<'campaigns.goals', undefined>
    notes: string | null
    link_description: string | null
    tagged_entities: Generated<string[]>
    meta_ad_objective: 'LEAD_GENERATION' | 'TRAFFIC' | 'CONVERSIONS' | 'APP_INSTALLS' | null
    lead_form_fields: Generated<string[]>
    custom_questions: Json<'campaigns.custom_questions', undefined>
    created_by: number | null
    created_at: Date
    updated_at: Date
    version: Generated<number>
    meta_campaign_id: string | null
  }
  certification_courses: {
    type_id: number
    course_id: number
  }
  certification_types: {
    id: Fixed<number>
    name: string
    description: Generated<string>
    valid_months: number | null
    is_required: Generated<boolean>
    retired_at: Date | null
    version: Generated<number>
    created_at: Date
  }
  certification_warnings: {
    certification_id: number
    valid_until: string
    days: number
    warned_at: Date
  }
  certifications: {
    id: Fixed<number>
    short_id: string
    customer_id: number
    type_id: number
    name: string
    instructor: string
    issued_on: string
    valid_until: string | null
    revoked_at: Date | null
    revoke_reason: string | null
    revoked_by: number | null
    first_opened_at: Date | null
    issued_by: number | null
    version: Generated<number>
    created_at: Date
    search_text: Fixed<string>
  }
  city_task_marks: {
    task_id: number
    after_days: number
    figures: Json<'city_task_marks.figures'>
    taken_at: Date
  }
  city_tasks: {
    id: Fixed<number>
    title: string
    description: Generated<string>
    due_on: string | null
    priority: Generated<'low' | 'medium' | 'high'>
    city_name: string | null
    city_key: Fixed<string | null>
    assignee_id: number | null
    created_by: number | null
    created_at: Date
    done_at: Date | null
    figures: Json<'city_tasks.figures', null>
    version: Generated<number>
  }
  company: {
    id: Generated<number>
    name: Generated<string>
    legal_name: Generated<string>
    address_line: Generated<string>
    city: Generated<string>
    state: Generated<string>
    postal_code: Generated<string>
    latitude: number | null
    longitude: number | null
    phone: Generated<string>
    reply_to: Generated<string>
    time_zone: Generated<string>
    week_starts_on: Generated<'sunday' | 'monday'>
    logo: string | null
    logo_type: string | null
    logo_bytes: number | null
    saved_at: Date | null
    guide_hidden_at: Date | null
    guide_hidden_by: number | null
    version: Generated<number>
  }
  credit_entries: {
    id: Fixed<number>
    customer_id: number
    delta: number
    kind: 'purchase' | 'use' | 'refund' | 'referral' | 'grant' | 'removal'
    booking_id: number | null
    transaction_id: number | null
    worker_id: number | null
    reason: string | null
    created_at: Date
  }
  customer_notes: {
    id: Fixed<number>
    customer_id: number
    worker_id: number
    note: string
    created_at: Date
  }
  customer_transactions: {
    id: Fixed<number>
    customer_id: number
    booking_id: number | null
    transaction_type: 'credit_purchase' | 'session_payment' | 'refund'
    amount: string
    credits: Generated<number>
    status: Generated<'pending' | 'completed' | 'failed'>
    created_at: Date
  }
  customers: {
    id: Fixed<number>
    first_name: string
    last_name: string
    email: string
    phone: string | null
    joined_at: Date
    last_login_at: Date | null
    email_verified_at: Date | null
    waiver_signed_at: Date | null
    total_logins: Generated<number>
    customer_type: Generated<'individual' | 'corporate' | 'student'>
    value_tier: Generated<'low' | 'medium' | 'high' | 'vip'>
    lifecycle_stage: Generated<'new' | 'prospect' | 'active' | 'loyal' | 'at_risk' | 'churned'>
    engagement_score: Generated<number>
    points: Generated<number>
    total_points_earned: Generated<number>
    rank: Generated<'Bronze' | 'Silver' | 'Gold' | 'Platinum'>
    credits: Generated<number>
    blocked_at: Date | null
    blocked_reason: string | null
    address_line: string | null
    city: string | null
    state: string | null
    postal_code: string | null
    latitude: number | null
    longitude: number | null
    zone_id: number | null
    referred_by_customer_id: number | null
    referred_by_stretcher_id: number | null
    referred_by_worker_id: number | null
    version: Generated<number>
    search_text: Fixed<string>
    merged_into_id: number | null
    erased_at: Date | null
    verification_sent_at: Date | null
    zone_precision: 'address' | 'postal_code' | null
    corrected_at: Json<'customers.corrected_at', undefined>
    is_located: Fixed<boolean>
  }
  deprecated_key_usage: {
    variable: string
    day: string
    calls: number
  }
  devices: {
    id: Fixed<number>
    worker_id: number
    token_hash: Buffer
    label: string
    created_at: Date
    last_used_at: Date
    expires_at: Date
    revoked_at: Date | null
  }
  earner_tax_profiles: {
    id: Fixed<number>
    earner_id: number
    effective_from: string
    filing_status: 'single' | 'married_jointly' | 'married_separately' | 'head_of_household'
    step2_checkbox: Generated<boolean>
    step3_credits: Generated<string>
    step4a_income: Generated<string>
    step4b_deductions: Generated<string>
    step4c_extra: Generated<string>
    regular_allowances: Generated<number>
    estimated_allowances: Generated<number>
    recorded_at: Date
    worker_id: number | null
  }
  earners: {
    id: Fixed<number>
    stretcher_id: number | null
    worker_id: number | null
    created_at: Date
  }
  email_logs: {
    id: Fixed<number>
    customer_id: number | null
    from_address: string
    to_sealed: Buffer
    to_hash: string
    subject: string
    type: 'ticket_confirmation' | 'ticket_reply' | 'verification' | 'notification' | 'booking' | 'receipt' | 'outreach' | 'rating'
    content_sealed: Buffer | null
    key_id: string
    outbox_key: string | null
    created_at: Date
  }
  error_counts: {
    group_id: number
    tier: number
    at: Date
    count: number
  }
  error_groups: {
    id: Fixed<number>
    source: 'staff' | 'customer'
    method: string
    path: string
    status: number
    first_seen_at: Date
    last_seen_at: Date
    total: number
    newest_code: string | null
    newest_text: string | null
    newest_cause: string | null
    is_handled: Generated<boolean>
    handled_at: Date | null
    handled_by: number | null
    handled_note: string | null
    reopened_at: Date | null
    times_reopened: Generated<number>
    version: Generated<number>
  }
  error_people: {
    group_id: number
    person: number
    last_at: Date
  }
  event_deltas: {
    id: Fixed<number>
    body: string
  }
  event_failures: {
    id: Fixed<number>
    event_id: string
    at: Date
    source: string
    user_id: number | null
    worker_id: number | null
    method: string
    url: string
    path: string
    status: number
    ms: number
    address: string | null
    request_id: string | null
    code: string | null
    text: string | null
    cause: string | null
    group_id: number | null
  }
  event_names: {
    id: Fixed<number>
    kind: 'action' | 'path'
    name: string
  }
  event_rollup_state: {
    only_row: Generated<boolean>
    zone: string
    sealed_until: Date
    fives_until: Date | null
  }
  event_rollup_version: {
    only_row: Generated<boolean>
    version: string
  }
  event_rollups: {
    tier: number
    action_id: number
    at: Date
    events: number
    errors: number
    time_sum: number
    users: number
    user_set: Buffer
    paths: Buffer
  }
  event_users: {
    num: Fixed<number>
    ref: number
  }
  events: {
    id: string
    created_at: Date
    source: 'staff' | 'customer'
    user_id: number | null
    worker_id: number | null
    action_type: string
    event_outcome: string
    method: string
    url: string
    path: string
    response_status: number
    response_time: number
    ip_address: string | null
  }
  external_refs: {
    source: string
    resource: string
    external_id: string
    record_id: number
    taken_at: Date | null
    content_hash: Buffer | null
    created_at: Date
  }
  growth_days: {
    day: string
    joined: number
    bookings: number
    churned_7: number
    churned_30: number
    churned_90: number
  }
  growth_outliers: {
    city: string
    latitude: number
    longitude: number
    users: number
  }
  growth_partners: {
    business_id: number
    active_users: number
    sessions: number
    rating_sum: number
    rating_count: number
    revenue: string
  }
  growth_places: {
    range_days: number
    zone_id: number
    users: number
    users_before: number
    located: number
    waivers: number
    active: number
    active_before: number
    churned: number
    churned_before: number
    sessions: number
    sessions_before: number
    booked: number
    bookings: number
    bookings_before: number
    cancelled: number
    revenue: string
    revenue_before: string
    stretchers: number
    stretchers_before: number
    rating_sum: number
    rating_count: number
    rating_sum_before: number
    rating_count_before: number
    credits: number
    credits_before: number
    payouts: Json<'growth_places.payouts'>
    payouts_before: string
  }
  growth_state: {
    only_row: Generated<boolean>
    day: string
    refreshed_at: Date
    took_ms: number
    signature: string
  }
  health_samples: {
    probe: string
    at: Date
    status: 'ok' | 'warning' | 'down' | 'not_connected'
    latency: number | null
  }
  health_states: {
    probe: string
    status: 'ok' | 'warning' | 'down' | 'not_connected'
    summary: string
    facts: Json<'health_states.facts'>
    latency: number | null
    since: Date
    checked_at: Date
    last_error: string | null
    last_error_at: Date | null
  }
  idempotency_keys: {
    worker_id: number | null
    key: string
    call: string
    request_hash: Buffer
    status: number
    body: string
    created_at: Date
    api_key_id: number | null
  }
  image_senders: {
    address: string
    worker_id: number
    created_at: Date
  }
  import_maps: {
    id: Fixed<number>
    resource: 'customers' | 'bookings' | 'transactions' | 'credits' | 'stretchers' | 'leads' | 'businesses' | 'allowed-emails' | 'tickets' | 'payroll/history'
    name: string
    columns: Json<'import_maps.columns'>
    dates: 'mdy' | 'dmy' | null
    created_by: number | null
    created_at: Date
  }
  import_rows: {
    import_id: number
    line: number
    state: 'create' | 'update' | 'unchanged' | 'skipped' | 'rejected' | 'changed_since'
    outcome: 'applied' | 'undone' | 'kept' | null
    subject: string | null
    contact: string | null
    reason: string | null
    detail: string | null
    field: string | null
    value: string | null
    record_id: number | null
    version: number | null
    after_version: number | null
    attached_as: string | null
    before: Json<'import_rows.before', null>
    changes: Json<'import_rows.changes', null>
    customer_id: number | null
  }
  imports: {
    id: Fixed<number>
    resource: 'customers' | 'bookings' | 'transactions' | 'credits' | 'stretchers' | 'leads' | 'businesses' | 'allowed-emails' | 'tickets' | 'payroll/history'
    source: string
    state: 'uploaded' | 'checking' | 'checked' | 'applying' | 'applied' | 'canceled' | 'failed' | 'undoing' | 'undone'
    file_name: string
    file_key: string | null
    file_bytes: number
    file_digest: string
    encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
    delimiter: ',' | ';' | '	'
    row_count: number
    profile: Json<'imports.profile'>
    columns: Json<'imports.columns', null>
    dates: 'mdy' | 'dmy' | null
    counts: Json<'imports.counts', undefined>
    reasons: Json<'imports.reasons', undefined>
    done: Generated<number>
    total: Generated<number>
    line_reached: Generated<number>
    error: string | null
    tells_people: Generated<boolean>
    created_by: number | null
    created_at: Date
    started_at: Date | null
    checked_at: Date | null
    applied_at: Date | null
    undone_at: Date | null
    undo_until: Date | null
    runner: string | null
    beat_at: Date | null
  }
  inbound_events: {
    id: Fixed<number>
    kind: string
    key: string
    about: string
    is_signed: boolean
    status: 'received' | 'done' | 'failed' | 'rejected'
    fields: Json<'inbound_events.fields'>
    withheld: string[]
    error: string | null
    times: Generated<number>
    received_at: Date
    last_received_at: Date
    settled_at: Date | null
    request_id: string | null
    address: string | null
  }
  installation: {
    key: string
    value: Json<'installation.value'>
    changed_at: Generated<Date>
  }
  kb_suggestion_reviews: {
    id: Fixed<number>
    suggestion_id: number
    status: 'pending' | 'approved' | 'implemented' | 'rejected'
    reason: string
    reviewed_by: number
    reviewed_at: Date
  }
  kb_suggestions: {
    id: Fixed<number>
    title: string
    content: string
    target_section: 'faq' | 'experience' | 'about'
    target_location: string | null
    priority: 'low' | 'medium' | 'high'
    status: Generated<'pending' | 'approved' | 'implemented' | 'rejected'>
    ticket_id: number | null
    created_by: number
    created_at: Date
    reviewed_by: number | null
    reviewed_at: Date | null
    review_reason: string | null
    version: Generated<number>
    search_text: Fixed<string>
    published_url: string | null
  }
  kept_counts: {
    scope: string
    slot: Fixed<number>
    counts: Json<'kept_counts.counts'>
  }
  lead_notes: {
    id: Fixed<number>
    lead_id: number
    worker_id: number
    content: string
    created_at: Date
  }
  lead_steps: {
    id: Fixed<number>
    lead_id: number
    status: 'new' | 'onboarding_started' | 'onboarding_completed' | 'contacted' | 'converted' | 'not_interested'
    entered_at: Date
    left_at: Date | null
    worker_id: number | null
    reason: string | null
    lead_created_at: Date
    ended_by_merge: Generated<boolean>
    opened_customer_id: number | null
  }
  leads: {
    id: Fixed<number>
    first_name: Generated<string>
    last_name: Generated<string>
    email: string | null
    phone: string | null
    source: 'facebook_lead_ad' | 'google_ads' | 'email' | 'website' | 'referral' | 'event' | 'manual'
    campaign_id: number | null
    status: Generated<'new' | 'onboarding_started' | 'onboarding_completed' | 'contacted' | 'converted' | 'not_interested'>
    assignee_id: number | null
    customer_id: number | null
    lost_reason: string | null
    created_by: number | null
    created_at: Date
    updated_at: Date
    status_since: Date
    first_response_at: Date | null
    converted_at: Date | null
    version: Generated<number>
    search_text: Fixed<string>
    leadgen_id: string | null
    answers: Json<'leads.answers', undefined>
    farthest: Generated<number>
    corrected_at: Json<'leads.corrected_at', undefined>
    erased_at: Date | null
  }
  mail_server: {
    id: Generated<number>
    host: Generated<string>
    port: Generated<number>
    security: Generated<'tls' | 'starttls' | 'none'>
    username: Generated<string>
    password: Buffer | null
    from_address: Generated<string>
    version: Generated<number>
    tested_at: Date | null
    tested_by: number | null
    tested_server: string | null
    test_ok: boolean | null
    test_summary: string | null
    test_answer: string | null
  }
  mailbox: {
    id: Fixed<number>
    to_address: string
    subject: string
    text: string
    html: string | null
    created_at: Date
  }
  mailbox_mails: {
    mailbox_id: number
    digest: Buffer
    message_id: number | null
    received_at: Date
  }
  mailboxes: {
    id: Fixed<number>
    address: string
    name: string
    is_enabled: Generated<boolean>
    confirms: Generated<boolean>
    incoming: 'imap' | 'forward'
    imap_host: Generated<string>
    imap_port: Generated<number>
    imap_security: Generated<'tls' | 'starttls' | 'none'>
    imap_username: Generated<string>
    imap_auth: Generated<'password' | 'oauth'>
    imap_secret: Buffer | null
    oauth_url: Generated<string>
    oauth_client_id: Generated<string>
    oauth_secret: Buffer | null
    smtp_host: Generated<string>
    smtp_port: Generated<number>
    smtp_security: Generated<'tls' | 'starttls' | 'none'>
    smtp_username: Generated<string>
    smtp_secret: Buffer | null
    version: Generated<number>
    created_by: number
    created_at: Date
    starts_at: Date
    uid_validity: number | null
    last_uid: Generated<number>
    connected_at: Date | null
    read_at: Date | null
    last_message_at: Date | null
    error: string | null
    error_at: Date | null
    runner: string | null
    beat_at: Date | null
    forward_hash: Buffer | null
    smtp_auth: Generated<'password' | 'oauth'>
  }
  merged_leads: {
    id: number
    lead_id: number
    first_name: string
    last_name: string
    email: string | null
    phone: string | null
    source: 'facebook_lead_ad' | 'google_ads' | 'email' | 'website' | 'referral' | 'event' | 'manual'
    campaign_id: number | null
    created_at: Date
    leadgen_id: string | null
    merged_by: number
    merged_at: Date
  }
  meta_leadgens: {
    leadgen_id: string
    page_id: string | null
    form_id: string | null
    ad_id: string | null
    state: Generated<'waiting' | 'done' | 'failed'>
    inbound_id: number | null
    lead_id: number | null
    tries: Generated<number>
    next_try_at: Date
    leased_until: Date | null
    error: string | null
    received_at: Date
    settled_at: Date | null
  }
  migrations: {
    name: string
    checksum: string
    applied_at: Generated<Date>
  }
  notification_recipients: {
    notification_id: number
    customer_id: number
    state: Generated<'waiting' | 'posted' | 'opted_out'>
    outbox_key: Fixed<string | null>
  }
  notifications: {
    id: Fixed<number>
    title: string
    body: string
    channel: 'mail' | 'text'
    audience: Json<'notifications.audience'>
    audience_text: string
    status: 'scheduled' | 'sending' | 'sent' | 'failed' | 'cancelled' | 'undone'
    send_at: Date
    is_for_later: boolean
    created_by: number
    created_at: Date
    started_at: Date | null
    handed_over_at: Date | null
    ended_at: Date | null
    stopped_by: number | null
    people: number
    waiting: Generated<number>
    sent: Generated<number>
    delivered: Generated<number>
    failed: Generated<number>
    opted_out: Generated<number>
    has_passkey: Generated<boolean>
    end_reason: string | null
  }
  onboarding_links: {
    id: Fixed<number>
    worker_id: number
    token_hash: Buffer
    purpose: 'invite' | 'recovery'
    created_at: Date
    expires_at: Date
    used_at: Date | null
    revoked_at: Date | null
    totp_secret: Buffer | null
    totp_confirmed_at: Date | null
    totp_last_step: Generated<number>
    totp_tries: Generated<number>
    multi_device_at: Date | null
  }
  onsite_participants: {
    id: Fixed<number>
    session_id: number
    slot: number
    name: string
    email: string
    customer_id: number | null
    rating: number | null
    booked_at: Date
  }
  onsite_sessions: {
    id: Fixed<number>
    business_id: number
    block_id: number | null
    stretcher_id: number
    starts_at: Date
    ends_at: Date
    cancelled_at: Date | null
    cancel_reason: string | null
    version: Generated<number>
    created_at: Date
  }
  outbox: {
    id: Fixed<number>
    channel: string
    key: string
    payload: Buffer
    about: Generated<string>
    state: Generated<'waiting' | 'sent' | 'dead' | 'discarded'>
    tries: Generated<number>
    next_try_at: Date
    last_error: string | null
    created_at: Date
    sent_at: Date | null
    outside_id: string | null
    leased_until: Date | null
    last_try_at: Date | null
    tries_before: Generated<number>
    retried_at: Date | null
    retried_by: number | null
    discarded_at: Date | null
    discarded_by: number | null
    discard_reason: string | null
    waits: Generated<number>
    waiting_since: Date | null
    traceparent: string | null
  }
  partner_outreach: {
    id: Fixed<number>
    business_id: number | null
    worker_id: number | null
    subject: string
    header: string
    body: string
    sent: number
    skipped: number
    created_at: Date
  }
  passkey_challenges: {
    challenge: string
    owner: string
    purpose: 'create' | 'get'
    expires_at: Date
  }
  passkeys: {
    id: Fixed<number>
    worker_id: number
    link_id: number | null
    credential_id: Buffer
    public_key: Buffer
    counter: number
    transports: Generated<string[]>
    is_backup_eligible: boolean
    is_backed_up: boolean
    aaguid: string
    name: string
    created_at: Date
    confirmed_at: Date | null
    last_used_at: Date | null
    revoked_at: Date | null
  }
  paused_workers: {
    worker_id: number
    since: Date
  }
  pay_periods: {
    id: Fixed<number>
    starts_on: string
    ends_on: string
    pay_date: string
    frequency: 'weekly' | 'biweekly' | 'semimonthly' | 'monthly'
    closed_at: Date | null
    closed_by: number | null
    version: Generated<number>
  }
  payroll_adjustments: {
    id: Fixed<number>
    operation_id: number
    payroll_id: number
    earner_id: number
    side: 'employee' | 'employer'
    before: string
    after: string
    difference: Fixed<string>
    reason: string
    created_at: Date
  }
  payroll_checks: {
    id: Fixed<number>
    started_at: Date
    ended_at: Date | null
    worker_id: number | null
    state: Generated<'running' | 'done' | 'failed'>
    result: Json<'payroll_checks.result', null>
  }
  payroll_dues: {
    id: Fixed<number>
    earner_id: number | null
    operation_id: number | null
    void_id: number | null
    amount: string
    settled: Generated<string>
    remaining: Fixed<string>
    created_at: Date
  }
  payroll_entries: {
    id: Fixed<number>
    earner_id: number
    type: 'session' | 'bonus' | 'commission' | 'mileage' | 'sick_pay' | 'break_time_pay' | 'expense_reimbursement'
    sub_type: string | null
    amount: string
    withheld: string
    employer_tax: string
    net_pay: Fixed<string>
    status: Generated<'pending' | 'paid' | 'cancelled'>
    pay_period_id: number
    work_date: string
    pay_date: string
    booking_id: number | null
    created_at: Date
    paid_at: Date | null
    onsite_session_id: number | null
  }
  payroll_history: {
    id: Fixed<number>
    earner_id: number
    type: 'session' | 'bonus' | 'commission' | 'mileage' | 'sick_pay' | 'break_time_pay' | 'expense_reimbursement'
    amount: string
    withheld: string
    employer_tax: string
    work_date: string
    pay_date: string
    created_at: Date
    voided_at: Date | null
  }
  payroll_ledger: {
    is_one: Generated<boolean>
    version: Generated<number>
  }
  payroll_operations: {
    id: Fixed<number>
    period_start: string
    period_end: string
    worker_id: number | null
    created_at: Date
    lines: number
    employee_total: string
    employer_total: string
  }
  payroll_settings: {
    version: Fixed<number>
    effective_from: string
    base_pay: string
    tax_rate: string
    pay_frequency: 'weekly' | 'biweekly' | 'semimonthly' | 'monthly'
    ui_rate: string
    changed_at: Date
    worker_id: number | null
    onsite_hourly_pay: string | null
  }
  payroll_settlements: {
    id: Fixed<number>
    due_id: number
    transaction_id: number
    amount: string
  }
  payroll_starts: {
    version: Generated<number>
    starts_on: string | null
    changed_at: Date
    worker_id: number | null
  }
  payroll_totals: {
    pay_period_id: number
    pay_date: string
    type: string
    status: string
    entries: number
    amount: string
    withheld: string
    employer_tax: string
    changed_at: Date
  }
  payroll_transaction_days: {
    day: string
    transaction_type: string
    status: string
    transactions: number
  }
  payroll_transaction_totals: {
    day: string
    transaction_type: string
    status: string
    transactions: number
  }
  payroll_transactions: {
    id: Fixed<number>
    transaction_type: 'net_pay' | 'reimbursement' | 'tax_deposit'
    amount: string
    status: Generated<'pending' | 'completed' | 'failed'>
    earner_id: number | null
    pay_period_id: number | null
    created_at: Date
  }
  payroll_undos: {
    operation_id: number
    worker_id: number | null
    created_at: Date
  }
  payroll_voids: {
    payroll_id: number
    reason: string
    worker_id: number | null
    created_at: Date
  }
  prepaid_blocks: {
    id: Fixed<number>
    business_id: number
    block_hours: number
    slot_length_minutes: number
    internal_label: Generated<string>
    expires_on: string | null
    used_at: Date | null
    version: Generated<number>
    created_at: Date
  }
  promise_settings: {
    version: number
    week: Json<'promise_settings.week'>
    holidays: Json<'promise_settings.holidays'>
    targets: Json<'promise_settings.targets'>
    time_zone: string
    saved_by: number | null
    saved_at: Date
  }
  rate_limits: {
    key: string
    window_at: Date
    count: number
  }
  rating_settings: {
    id: Generated<number>
    is_on: Generated<boolean>
    since: Date | null
    changed_by: number | null
    version: Generated<number>
  }
  record_changes: {
    resource: string
    record_id: number
    seq: number
    changed_at: Date
    deleted_reason: 'erased' | 'merged' | 'deleted' | null
    merged_into_id: number | null
  }
  recovery_codes: {
    id: Fixed<number>
    worker_id: number
    code_hash: Buffer
    created_at: Date
    used_at: Date | null
  }
  recovery_requests: {
    id: Fixed<number>
    worker_id: number
    state: Generated<'open' | 'approved' | 'denied' | 'closed'>
    address: string | null
    created_at: Date
    expires_at: Date
    decided_by: number | null
    decided_at: Date | null
  }
  referral_figures: {
    only_row: Generated<boolean>
    total_users: number
    natural_growth: number
    stretcher_refs: number
    worker_refs: number
    user_refs: number
    pending: number
    converted: number
    total_earnings: string
    stored_earnings: string
    redeemable: number
    top_referrer_count: number
    top_earner_total: string
    booked_by_stretchers: number
    booked_by_workers: number
    booked_by_users: number
    to_review: number
  }
  referral_reviews: {
    id: Fixed<number>
    customer_id: number
    decision: 'approved' | 'rejected'
    reason: string
    worker_id: number | null
    created_at: Date
  }
  referrals: {
    customer_id: number
    kind: 'user' | 'stretcher' | 'worker'
    referrer_id: number
    joined_at: Date
    booked_at: Date | null
    converted_at: Date | null
    earnings: string
    reasons: Generated<string[]>
    id: Fixed<number>
  }
  rewards: {
    id: Fixed<number>
    customer_id: number
    reward_type: string
    details: string
    points: Generated<number>
    earned_at: Date
    expires_at: Date | null
    redeemed_at: Date | null
  }
  round_robin_members: {
    round_robin_id: number
    worker_id: number
    last_at: Date | null
  }
  round_robins: {
    id: Fixed<number>
    view_id: number | null
    is_on: boolean
    max_open: number
    changed_at: Date
    version: Generated<number>
  }
  sample_keys: {
    key_hash: Buffer
    worker_id: number
    expires_at: Date
    used_at: Date | null
  }
  saved_replies: {
    id: Fixed<number>
    name: string
    content: string
    changed_by: number
    changed_at: Date
    version: Generated<number>
    actions: Json<'saved_replies.actions', undefined>
    uses: Generated<number>
  }
  schedule_runs: {
    id: Fixed<number>
    schedule: string
    due_at: Date
    trigger: 'schedule' | 'worker'
    worker_id: number | null
    started_at: Date | null
    beat_at: Date | null
    ended_at: Date | null
    state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'refused'>
    tries: Generated<number>
    error: string | null
    result: Json<'schedule_runs.result', null>
  }
  schedules: {
    name: string
    title: string
    cron: string
    zone: string
    is_enabled: Generated<boolean>
    paused_by: number | null
    paused_at: Date | null
    paused_reason: string | null
    next_run_at: Date
    version: Generated<number>
  }
  sessions: {
    id: Fixed<number>
    token_hash: Buffer
    worker_id: number
    device_id: number | null
    created_at: Date
    last_seen_at: Date
    stepped_up_at: Date | null
    ended_at: Date | null
    ended_reason: string | null
    address: string | null
    browser: string | null
  }
  sign_in_attempts: {
    id: Fixed<number>
    worker_id: number | null
    email: string
    user_key: string
    device_key: string
    device_id: number | null
    flow_hash: Buffer
    token_hash: Buffer
    stage: 'code_sent' | 'device_ok' | 'passkey_pending' | 'passkey_ok' | 'totp_ok' | 'consumed' | 'dead'
    code_mac: string | null
    sends: Generated<number>
    starts: Generated<number>
    tries: Generated<number>
    pending_passkey: Json<'sign_in_attempts.pending_passkey', null>
    passkey_id: number | null
    passkey_counter: number | null
    passkey_backed_up: boolean | null
    device_ok_at: Date | null
    passkey_ok_at: Date | null
    totp_ok_at: Date | null
    consumed_at: Date | null
    dead_reason: string | null
    created_at: Date
    expires_at: Date
  }
  sign_in_failures: {
    key: string
    failures: number
    last_failed_at: Date
    blocked_until: Date | null
  }
  signing_keys: {
    id: Fixed<number>
    key_id: string
    public_jwk: Json<'signing_keys.public_jwk'>
    private_sealed: Buffer
    created_at: Date
    retired_at: Date | null
  }
  stretchers: {
    id: Fixed<number>
    customer_id: number
    zone_id: number | null
    first_name: string
    last_name: string
    email: string
    date_of_birth: string | null
    status: Generated<'active' | 'inactive' | 'in_training'>
    hired_at: Date
    trained_at: Date | null
    deactivated_at: Date | null
    version: Generated<number>
    deactivated_reason: string | null
    deactivated_by: number | null
  }
  suppressions: {
    channel: 'mail' | 'text'
    address_hash: Buffer
    reason: 'unsubscribed' | 'stop_word' | 'hard_bounce' | 'complaint'
    source: string
    created_at: Date
  }
  texts: {
    id: Fixed<number>
    sid: string | null
    is_outgoing: boolean
    from_number: string
    to_number: string
    number: Fixed<string>
    body: string
    media: Generated<number>
    state: 'waiting' | 'sent' | 'delivered' | 'failed' | 'received'
    error: string | null
    sent_at: Date
    worker_id: number | null
    outbox_key: string | null
    tried_at: Date | null
  }
  ticket_emails: {
    message_id: number
    kind: 'message' | 'auto_reply' | 'bounce' | 'unreadable'
    is_spam: boolean
    spf: 'pass' | 'fail' | 'none' | null
    dkim: 'pass' | 'fail' | 'none' | null
    dmarc: 'pass' | 'fail' | 'none' | null
    quoted: Generated<string>
    html: string | null
    has_text: Generated<boolean>
    has_remote: Generated<boolean>
  }
  ticket_events: {
    id: Fixed<number>
    ticket_id: number
    worker_id: number | null
    kind: 'opened' | 'status' | 'assigned' | 'priority' | 'merged' | 'kind' | 'tags' | 'snoozed' | 'rating' | 'linked'
    text: string
    created_at: Date
  }
  ticket_files: {
    id: Fixed<number>
    name: string | null
    ticket_id: number | null
    message_id: number | null
    worker_id: number | null
    role: 'attachment' | 'inline' | 'original'
    filename: string
    mime_type: string
    bytes: number
    width: number | null
    height: number | null
    content_id: string | null
    state: 'ready' | 'unscanned' | 'infected' | 'too_large'
    scanned_at: Date | null
    virus: string | null
    created_at: Date
  }
  ticket_links: {
    from_id: number
    to_id: number
    kind: 'split' | 'follow_up' | 'related'
    created_by: number | null
    created_at: Date
  }
  ticket_mailboxes: {
    ticket_id: number
    mailbox_id: number
  }
  ticket_messages: {
    id: Fixed<number>
    ticket_id: number
    from_customer: boolean
    worker_id: number | null
    content: string
    created_at: Date
    ticket_version: number
    origin_ticket_id: number | null
    outbox_key: string | null
    inbound_key: string | null
    source: string | null
    sender: string | null
  }
  ticket_notes: {
    id: Fixed<number>
    ticket_id: number
    worker_id: number
    content: string
    created_at: Date
  }
  ticket_presence: {
    ticket_id: number
    worker_id: number
    state: 'viewing' | 'typing'
    seen_at: Date
  }
  ticket_promises: {
    id: Fixed<number>
    ticket_id: number
    kind: 'first' | 'next'
    started_at: Date
    priority: 'low' | 'medium' | 'high'
    rank: 'Bronze' | 'Silver' | 'Gold' | 'Platinum'
    version: number
    target_ms: number | null
    spent_ms: number
    running_since: Date | null
    due_at: Date | null
    soon_at: Date | null
    ended_at: Date | null
    outcome: 'kept' | 'missed' | 'unanswered' | null
    warned_at: Date | null
    escalated_at: Date | null
  }
  ticket_ratings: {
    ticket_id: number
    created_at: Date
    asked_at: Date | null
    outbox_key: string | null
    rating: 'good' | 'bad' | null
    comment: string | null
    rated_at: Date | null
  }
  ticket_report_blocks: {
    block: number
    facts: Buffer | null
    first_at: Date | null
    last_at: Date | null
  }
  ticket_report_changes: {
    ticket_id: number
    id: Fixed<number>
  }
  ticket_tags: {
    id: Fixed<number>
    name: string
    removed_at: Date | null
    replaced_by_id: number | null
    version: Generated<number>
  }
  ticket_tasks: {
    id: Fixed<number>
    ticket_id: number
    worker_id: number
    kind: 'callback' | 'move_booking' | 'cancel_booking'
    due_on: string
    booking_id: number | null
    booking_starts_at: Date | null
    wanted_at: Date | null
    created_by: number
    created_at: Date
    done_at: Date | null
    done_by: number | null
  }
  ticket_times: {
    ticket_id: number
    opened_at: Date
    opened_priority: string
    channel: Generated<'email' | 'worker' | 'api'>
    first_reply_at: Date | null
    closed_at: Date | null
    is_stale: Generated<boolean>
  }
  ticket_unread: {
    worker_id: number
    ticket_id: number
    created_at: Date
  }
  ticket_views: {
    id: Fixed<number>
    worker_id: number
    name: string
    is_shared: Generated<boolean>
    queue: 'mine' | 'unassigned' | 'breaching' | 'waiting' | 'high' | 'snoozed' | null
    status: 'open' | 'in_progress' | 'closed' | null
    priority: 'low' | 'medium' | 'high' | null
    kind: 'question' | 'complaint' | 'booking' | 'refund' | null
    assignee: string | null
    tag_id: number | null
    changed_at: Date
    version: Generated<number>
  }
  ticket_watchers: {
    ticket_id: number
    worker_id: number
    created_at: Date
    seen_at: Date
    is_open: Generated<boolean>
  }
  ticket_words: {
    ticket_id: number
    part: number
    words: string
  }
  tickets: {
    id: Fixed<number>
    customer_id: number | null
    customer_email: string
    subject: string
    status: Generated<'open' | 'in_progress' | 'closed'>
    priority: Generated<'low' | 'medium' | 'high'>
    assignee_id: number | null
    created_by: number | null
    created_at: Date
    updated_at: Date
    waiting_since: Date | null
    message_count: Generated<number>
    merged_into_id: number | null
    version: Generated<number>
    search_text: Fixed<string>
    kind: 'question' | 'complaint' | 'booking' | 'refund' | null
    tags: Generated<number[]>
    snoozed_at: Date | null
    snoozed_until: Date | null
    is_due_soon: Generated<boolean>
  }
  totp_replacements: {
    worker_id: number
    secret: Buffer
    tries: Generated<number>
    created_at: Date
  }
  training_asset_uses: {
    asset_id: number
    lesson_id: number
    is_kept: Generated<boolean>
  }
  training_assets: {
    id: Fixed<number>
    name: string
    type: 'image' | 'video' | 'audio' | 'document' | 'other'
    filename: string
    mime_type: string
    quality: 'low' | 'medium' | 'high'
    original_size: number
    final_size: number
    width: number | null
    height: number | null
    duration: number | null
    pages: number | null
    course_id: number | null
    lesson_id: number | null
    worker_id: number | null
    created_at: Date
  }
  training_attempts: {
    id: Fixed<number>
    lesson_id: number
    customer_id: number
    component: Generated<number>
    number: number
    questions: Json<'training_attempts.questions'>
    answers: Json<'training_attempts.answers', null>
    results: Json<'training_attempts.results', null>
    passing_score: number
    started_at: Date
    due_at: Date | null
    submitted_at: Date | null
    is_late: Generated<boolean>
    points: number | null
    possible: number | null
    score: number | null
    is_passed: boolean | null
  }
  training_course_prerequisites: {
    course_id: number
    requires_id: number
  }
  training_courses: {
    id: Fixed<number>
    course_key: string
    title: string
    description: string | null
    difficulty_level: Generated<'beginner' | 'intermediate' | 'advanced'>
    estimated_duration_hours: string | null
    is_required: Generated<boolean>
    is_active: Generated<boolean>
    stylesheet: Generated<string>
    theme: Json<'training_courses.theme', null>
    styles: Generated<string>
    version: Generated<number>
    created_at: Date
    updated_at: Date
    search_text: Fixed<string>
  }
  training_enrolments: {
    course_id: number
    customer_id: number
    enrolled_at: Date
    started_at: Date | null
    completed_at: Date | null
    last_seen_at: Date | null
  }
  training_extra_attempts: {
    lesson_id: number
    customer_id: number
    component: Generated<number>
    extra: number
  }
  training_lesson_prerequisites: {
    lesson_id: number
    requires_id: number
    module_id: number
  }
  training_lesson_references: {
    lesson_id: number
    refers_to: number
    course_id: number
  }
  training_lessons: {
    id: Fixed<number>
    course_id: number
    module_id: number
    lesson_key: string
    title: string
    description: string | null
    content_type: 'text' | 'video' | 'audio' | 'quiz' | 'interactive' | 'document' | 'mixed'
    content: Json<'training_lessons.content'>
    kept_components: Json<'training_lessons.kept_components', null>
    styles: Generated<string>
    question_count: Generated<number>
    allows_html: Generated<boolean>
    duration_minutes: number | null
    is_required: Generated<boolean>
    is_active: Generated<boolean>
    passing_score: number | null
    max_attempts: Generated<number>
    position: number
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  training_module_prerequisites: {
    module_id: number
    requires_id: number
    course_id: number
  }
  training_modules: {
    id: Fixed<number>
    course_id: number
    module_key: string
    title: string
    description: string | null
    estimated_duration_minutes: number | null
    is_required: Generated<boolean>
    is_active: Generated<boolean>
    position: number
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  training_progress: {
    lesson_id: number
    customer_id: number
    started_at: Date
    completed_at: Date | null
    reported_at: Date
    seconds: Generated<number>
  }
  webhook_deliveries: {
    id: Fixed<number>
    endpoint_id: number
    event_id: string
    event_type: string
    record: string
    body: string
    state: Generated<'waiting' | 'delivered' | 'failed'>
    is_test: Generated<boolean>
    tries: Generated<number>
    next_attempt_at: Date
    attempts: Json<'webhook_deliveries.attempts', undefined>
    signature: string | null
    reply: string | null
    created_at: Date
    settled_at: Date | null
  }
  webhook_endpoints: {
    id: Fixed<number>
    url: string
    description: Generated<string>
    events: string[]
    enabled: Generated<boolean>
    source: string | null
    include_own_changes: Generated<boolean>
    off_reason: 'gone' | 'failing' | null
    off_at: Date | null
    failing_since: Date | null
    created_by: number | null
    created_at: Date
    version: Generated<number>
    lease_owner: string | null
    leased_until: Date | null
  }
  webhook_secrets: {
    id: Fixed<number>
    endpoint_id: number
    secret: Buffer
    created_at: Date
    expires_at: Date | null
  }
  worker_uploads: {
    id: Fixed<number>
    worker_id: number
    bytes: number
    sent_at: Date
  }
  workers: {
    id: Fixed<number>
    email: string
    name: string
    role: string | null
    permissions: Generated<string[]>
    handle: Buffer
    status: Generated<'invited' | 'active' | 'disabled'>
    totp_secret: Buffer | null
    totp_confirmed_at: Date | null
    totp_last_step: Generated<number>
    totp_failures: Generated<number>
    multi_device_at: Date | null
    onboarded_at: Date | null
    disabled_at: Date | null
    version: Generated<number>
    created_at: Date
  }
  zones: {
    id: Fixed<number>
    name: string
    time_zone: string
    geometry: Json<'zones.geometry'>
    west: number
    south: number
    east: number
    north: number
    version: Generated<number>
    created_at: Date
  }
}
