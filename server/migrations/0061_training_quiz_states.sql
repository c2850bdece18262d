-- How each learner stands with each quiz: attempts used and allowed, the best score, whether it is passed.
create view training_quiz_states as
select a.lesson_id, a.customer_id, a.component, l.course_id,
  count(*) as attempts,
  max(a.score) as best_score,
  bool_or(coalesce(a.is_passed, false)) as is_passed,
  max(coalesce(a.submitted_at, a.started_at)) as last_at,
  bool_or(a.submitted_at is null) as is_open,
  case when a.component < 0 then l.max_attempts
    else coalesce((l.content -> 'components' -> a.component -> 'content' ->> 'maxAttempts')::int, 3) end
    + coalesce((select x.extra from training_extra_attempts x
      where x.lesson_id = a.lesson_id and x.customer_id = a.customer_id and x.component = a.component), 0) as allowed
from training_attempts a join training_lessons l on l.id = a.lesson_id
group by a.lesson_id, a.customer_id, a.component, l.course_id, l.max_attempts, l.content;
