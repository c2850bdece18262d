-- Attempts belong to a quiz by the id of its component, wherever that stands in its lesson. Components that were saved
-- before they had ids go by their place.
drop view training_quiz_states;
alter table training_attempts alter column component type bigint;
alter table training_extra_attempts alter column component type bigint;
comment on column training_attempts.component is 'The id of the component of a mixed lesson; -1 for a quiz lesson.';

-- The quizzes of lessons as they are now: the id that attempts carry, the place, and the attempts that a learner has.
create view training_quizzes as
select l.id as lesson_id, l.course_id, -1::bigint as quiz, -1 as place, l.max_attempts from training_lessons l where l.content_type = 'quiz'
union all
select l.id, l.course_id, coalesce((c.value ->> 'id')::bigint, c.number - 1), (c.number - 1)::int, coalesce((c.value -> 'content' ->> 'maxAttempts')::int, 3)
from training_lessons l, jsonb_array_elements(l.content -> 'components') with ordinality c (value, number)
where l.content_type = 'mixed' and c.value ->> 'type' = 'quiz';

-- How each learner stands with each quiz: attempts used and allowed, the best score, whether it is passed.
create view training_quiz_states as
select a.lesson_id, a.customer_id, q.quiz, q.place as component, q.course_id,
  count(*) as attempts,
  max(a.score) as best_score,
  bool_or(coalesce(a.is_passed, false)) as is_passed,
  max(coalesce(a.submitted_at, a.started_at)) as last_at,
  bool_or(a.submitted_at is null) as is_open,
  q.max_attempts + coalesce((select x.extra from training_extra_attempts x
    where x.lesson_id = a.lesson_id and x.customer_id = a.customer_id and x.component = q.quiz), 0) as allowed
from training_attempts a join training_quizzes q on q.lesson_id = a.lesson_id and q.quiz = a.component
group by a.lesson_id, a.customer_id, q.quiz, q.place, q.course_id, q.max_attempts;

-- Files of components that wait for their lesson to be mixed again are in use, though nobody sees them.
alter table training_asset_uses add column is_kept boolean not null default false;
insert into training_asset_uses (asset_id, lesson_id, is_kept)
select a.id, l.id, true from training_lessons l join training_assets a on l.kept_components::text like '%' || a.name || '%'
where l.kept_components is not null
on conflict do nothing;
