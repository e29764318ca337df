"""An experiment that only tests know."""

from lab_toy import EXPERIMENT as EXPERIMENT
