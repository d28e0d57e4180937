"""The worker: what it takes out of the queue, what it makes on a timetable, and how often it looks around."""
